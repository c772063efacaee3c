// dry_run: the stock opensm routes a fabric that ibsim plays, and the tables are evaluated
// (docs/reference/dry-run.md).

#include <unistd.h>

#include <filesystem>
#include <optional>

#include "ibsim_harness/surroundings.h"
#include "tools/dry_run/options.h"
#include "tools/dry_run/run.h"
#include "tools/kit/tool.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("dry_run", [&] {
    const std::optional<DryRunOptions> options = parse_dry_run_options(argc, argv);
    if (!options) return 0;
    return dry_run(*options,
                   surroundings_of(environ, std::filesystem::read_symlink("/proc/self/exe")));
  });
}
