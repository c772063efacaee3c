// simulate_application: how long an application takes with forwarding tables
// (docs/reference/simulate-app.md).

#include <optional>

#include "evaluator/parallel/agreement.h"
#include "tools/kit/tool.h"
#include "tools/launch/join.h"
#include "tools/simulate_application/options.h"
#include "tools/simulate_application/run.h"
#include "tools/simulation/several_processes.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("simulate_application", [&] {
    return run_in_processes(join_launched(argc, argv), [&](Processes& processes) {
      const std::optional<ApplicationOptions> options =
          processes.together([&] { return parse_application_options(argc, argv); });
      require_all_or_none(processes, options.has_value());
      return options ? simulate_application(*options, processes) : 0;
    });
  });
}
