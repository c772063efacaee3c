// Every program ends here. Errors of ours say what to do already; what the standard library throws
// does not, so that the ladder adds it. A program that is interrupted ends as the signal says, but
// leaves no half-written file.

#include "tools/kit/tool.h"

#include <csignal>
#include <exception>
#include <new>
#include <string>

#include "base/error.h"
#include "base/file_io.h"
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
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    if (::sigaction(signal, nullptr, &before) != 0 || before.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = end_without_leftovers;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    static_cast<void>(::sigaction(signal, &action, nullptr));
  }
}

}  // namespace

int run_tool(const char* name, const std::function<int()>& run) {
  clean_up_on_signals();
  const Report report(name);
  try {
    return run();
  } catch (const Error& error) {
    report.say(error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    report.say("out of memory; take a machine with more of it, or a smaller fabric");
  } catch (const std::exception& error) {
    report.say(std::string(error.what()) +
               ": an internal error; please report it with the input files");
  } catch (...) {
    report.say("internal error; please report it with the input files");
  }
  return static_cast<int>(ErrorKind::internal);
}

}  // namespace pssp
