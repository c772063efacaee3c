// reroute_impact: what a change of forwarding tables does to flows
// (docs/reference/reroute-impact.md).

#include <optional>

#include "tools/kit/tool.h"
#include "tools/reroute_impact/live_run.h"
#include "tools/reroute_impact/options.h"
#include "tools/reroute_impact/run.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("reroute_impact", [&] {
    const std::optional<RerouteOptions> options = parse_reroute_options(argc, argv);
    if (!options) return 0;
    return options->live ? watch_reroutes(*options) : reroute_impact(*options);
  });
}
