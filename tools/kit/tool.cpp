// Every program ends here. The messages of Error already include advice; for exceptions of the
// standard library, it is added here. Signals end the program as usual, but without half-written
// files.
//
// If memory runs out, the program ends at once, except in code that is prepared for this
// (base/memory_may_end.h).
//
// Some noexcept functions of libraries allocate memory (CLI11 copies names), so not every exception
// reaches run_tool(). Such an exception ends the program with the same exit code and message.

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
  // The default action is set again; the signal stays blocked until this function has returned.
  static_cast<void>(::raise(signal));
}

/// A signal that is ignored (nohup) stays ignored.
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

/// Ends the program instead of throwing, because not all code is safe after std::bad_alloc: the
/// JSON library (nlohmann, 3.11) frees memory that it never got, and a thread without memory can
/// leave other threads waiting. This also ends the program after a failed allocation with
/// std::nothrow, as in std::stable_sort.
void end_without_memory() {
  if (MemoryMayEnd::here()) throw std::bad_alloc();
  // If several threads run out of memory, one ends the program, and the others wait for this.
  static std::atomic_flag ends;
  while (ends.test_and_set()) ::pause();
  remove_unfinished_files();
  Report(running_tool).print_line(out_of_memory);
  _exit(static_cast<int>(ErrorKind::internal));
}

/// Prints a message for the current exception, and returns its exit code.
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
