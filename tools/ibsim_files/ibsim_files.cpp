// ibsim_files: file operations for the scripts around opensm and ibsim. See
// docs/reference/ibsim_files.md.

#include <optional>

#include "tools/ibsim_files/commands.h"
#include "tools/ibsim_files/options.h"
#include "tools/kit/tool.h"

int main(int argc, char** argv) {
  return pssp::run_tool("ibsim_files", [&] {
    const std::optional<pssp::IbsimFilesOptions> options =
        pssp::parse_ibsim_files_options(argc, argv);
    if (options) pssp::run_command(*options);
    return 0;
  });
}
