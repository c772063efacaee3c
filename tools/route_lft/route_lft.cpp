// route_lft: computes forwarding tables offline, with the engines that the OpenSM plugin has. See
// docs/reference/route.md.

#include <optional>

#include "tools/kit/tool.h"
#include "tools/route_lft/check_options.h"
#include "tools/route_lft/options.h"
#include "tools/route_lft/run.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool(route_lft_name, [&] {
    const std::optional<RouteLftOptions> options = parse_route_lft_options(argc, argv);
    if (!options) return 0;
    if (options->text_to_check) return check_options(*options->text_to_check);
    return run(*options);
  });
}
