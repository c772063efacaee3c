// compare_engines: every engine of opensm and of ours on one fabric, in a table with a
// recommendation (docs/reference/compare-engines.md).

#include <unistd.h>

#include <filesystem>
#include <optional>

#include "ibsim_harness/surroundings.h"
#include "tools/compare_engines/options.h"
#include "tools/compare_engines/run.h"
#include "tools/kit/tool.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("compare_engines", [&] {
    const std::optional<CompareOptions> options = parse_compare_options(argc, argv);
    if (!options) return 0;
    return compare_engines(
        *options, surroundings_of(environ, std::filesystem::read_symlink("/proc/self/exe")));
  });
}
