// `pssp` hands the name to the program as argv[0] (tools/pssp/start.cpp), so no program needs to
// know its command.

#include "tools/kit/program_name.h"

#include <cerrno>
#include <string_view>

#include "base/version.h"

namespace pssp {

const char* name_as_called(const char* program) noexcept {
  const bool by_pssp = std::string_view(program_invocation_name).starts_with("pssp ");
  return by_pssp ? program_invocation_name : program;
}

std::string version_line(const std::string& name) {
  const std::string opensm = opensm_version();
  return name + " " + version() + (opensm.empty() ? "" : " (plugin for OpenSM " + opensm + ")");
}

}  // namespace pssp
