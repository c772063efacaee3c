// tune_cc: searches for congestion control parameters that suit a fabric
// (docs/reference/tune_cc.md).

#include <filesystem>
#include <optional>

#include "evaluator/parallel/agreement.h"
#include "tools/kit/tool.h"
#include "tools/launch/join.h"
#include "tools/simulation/several_processes.h"
#include "tools/tune_cc/options.h"
#include "tools/tune_cc/run.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("tune_cc", [&] {
    return run_in_processes(join_launched(argc, argv), [&](Processes& processes) {
      const std::optional<TuneOptions> options =
          processes.together([&] { return parse_tune_options(argc, argv); });
      require_all_or_none(processes, options.has_value());
      if (!options) return 0;
      return tune_cc(*options, std::filesystem::read_symlink("/proc/self/exe"), processes);
    });
  });
}
