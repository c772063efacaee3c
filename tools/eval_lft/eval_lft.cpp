// eval_lft: how good are the forwarding tables of a fabric? See docs/reference/eval.md.

#include <cstdio>
#include <optional>

#include "evaluator/parallel/agreement.h"
#include "evaluator/parallel/processes.h"
#include "tools/eval_lft/requests.h"
#include "tools/kit/tool.h"
#include "tools/launch/join.h"

using namespace pssp;

int main(int argc, char** argv) {
  return run_tool("eval_lft", [&] {
    Processes processes(join_launched(argc, argv));
    // Only the first process prints: otherwise help, version and lists would be printed by each.
    if (!processes.is_first() && std::freopen("/dev/null", "w", stdout) == nullptr) return 1;
    try {
      const std::optional<Requests> requests =
          processes.together([&] { return Requests::from_command_line(argc, argv); });
      require_all_or_none(processes, requests.has_value());
      return requests ? requests->run(processes) : 0;
    } catch (const FailedElsewhere&) {
      return 0;
    }
  });
}
