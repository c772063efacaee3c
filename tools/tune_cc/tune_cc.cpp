// tune_cc: which parameters of congestion control should this fabric have
// (docs/reference/tune-cc.md)?

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
