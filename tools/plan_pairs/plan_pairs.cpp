// plan_pairs: who measures with whom, so that each rate says something
// (docs/reference/plan-pairs.md).

#include <optional>

#include "tools/kit/tool.h"
#include "tools/plan_pairs/options.h"
#include "tools/plan_pairs/run.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("plan_pairs", [&] {
    const std::optional<PairPlanOptions> options = parse_pair_plan_options(argc, argv);
    return options ? plan_pairs(*options) : 0;
  });
}
