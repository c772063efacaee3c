// Every program ends here. Errors of ours say what to do already; what the standard library throws
// does not, so that the ladder adds it. A program that is interrupted ends as the signal says, but
// leaves no half-written file.
//
// Where memory ends the program does, at once, but for what is prepared for that
// (base/memory_may_end.h).
//
// Libraries have functions that may not throw and ask for memory all the same (CLI11 copies names
// in some), so that an exception can fail to get here. It ends the program then, with the same code
// and words.

#include "tools/kit/tool.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <exception>
#include <new>
#include <string>

#include "base/error.h"
#include "base/file_io.h"
#include "base/memory_may_end.h"
#include "tools/kit/report.h"

namespace pssp {

namespace {

extern "C" void end_without_leftovers(int signal) {
  remove_unfinished_files();
  // The default action is in force again; it waits until this function has returned.
  static_cast<void>(::raise(signal));
}

/// A signal that is ignored (nohup) stays so.
void clean_up_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = end_without_leftovers;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    static_cast<void>(::sigaction(signal, &action, nullptr));
  }
}

const char* running_tool = "";

constexpr std::string_view out_of_memory =
    "out of memory; use a machine with more memory or a smaller fabric";

/// In place of an exception: not all code survives one. The library for JSON (nlohmann, 3.11) frees
/// what it never got, and a thread that is refused its memory may leave the others waiting. (What
/// asks with std::nothrow, as std::stable_sort does for more room, ends the program, too.)
void end_without_memory() {
  if (MemoryMayEnd::here()) throw std::bad_alloc();
  // Of several threads that are refused one ends the program, and the others wait for that.
  static std::atomic_flag ends;
  while (ends.test_and_set()) ::pause();
  remove_unfinished_files();
  Report(running_tool).print_line(out_of_memory);
  _exit(static_cast<int>(ErrorKind::internal));
}

/// The ladder: says what the exception in flight is, and returns its exit code.
int report_what_happened(const Report& report) {
  try {
    throw;
  } catch (const Error& error) {
    report.print_line(error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    report.print_line(out_of_memory);
  } catch (const std::exception& error) {
    report.print_line(std::string(error.what()) +
                      ": an internal error; please report it with the input files");
  } catch (...) {
    report.print_line("internal error; please report it with the input files");
  }
  return static_cast<int>(ErrorKind::internal);
}

[[noreturn]] void end_at_once() {
  remove_unfinished_files();
  const bool is_exception = std::current_exception() != nullptr;
  _exit(is_exception ? report_what_happened(Report(running_tool))
                     : static_cast<int>(ErrorKind::internal));
}

}  // namespace

int run_tool(const char* name, const std::function<int()>& run) {
  clean_up_on_signals();
  running_tool = name;
  std::set_terminate(end_at_once);
  std::set_new_handler(end_without_memory);
  try {
    return run();
  } catch (...) {
    return report_what_happened(Report(name));
  }
}

}  // namespace pssp
