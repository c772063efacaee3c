// simulate_fabric: what happens with these tables, this traffic, these parameters of congestion
// control (docs/reference/simulate.md).

#include <filesystem>
#include <optional>

#include "evaluator/parallel/agreement.h"
#include "tools/kit/tool.h"
#include "tools/launch/join.h"
#include "tools/simulate_fabric/options.h"
#include "tools/simulate_fabric/run.h"
#include "tools/simulation/several_processes.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("simulate_fabric", [&] {
    return run_in_processes(join_launched(argc, argv), [&](Processes& processes) {
      const std::optional<SimulateOptions> options =
          processes.together([&] { return parse_simulate_options(argc, argv); });
      require_all_or_none(processes, options.has_value());
      if (!options) return 0;
      return simulate_fabric(*options, std::filesystem::read_symlink("/proc/self/exe"), processes);
    });
  });
}
