// bench_opensm: how long the stock opensm takes to configure a subnet, phase by phase, with each
// engine (docs/reference/bench-opensm.md).

#include <unistd.h>

#include <filesystem>
#include <optional>

#include "ibsim_harness/surroundings.h"
#include "tools/bench_opensm/options.h"
#include "tools/bench_opensm/run.h"
#include "tools/kit/tool.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("bench_opensm", [&] {
    const std::optional<BenchOptions> options = parse_bench_options(argc, argv);
    if (!options) return 0;
    return bench_opensm(*options,
                        surroundings_of(environ, std::filesystem::read_symlink("/proc/self/exe")));
  });
}
