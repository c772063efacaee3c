// Every program ends here. Errors of ours say what to do already; what the standard library throws
// does not, so that the ladder adds it.

#include "tools/kit/tool.h"

#include <exception>
#include <new>
#include <string>

#include "base/error.h"
#include "tools/kit/report.h"

namespace pssp {

int run_tool(const char* name, const std::function<int()>& run) {
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
