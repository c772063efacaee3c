// simulate_application: how long an application takes with forwarding tables
// (docs/simulate_application.md).

#include <optional>

#include "tools/kit/tool.h"
#include "tools/simulate_application/options.h"
#include "tools/simulate_application/run.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("simulate_application", [&] {
    const std::optional<ApplicationOptions> options = parse_application_options(argc, argv);
    return options ? simulate_application(*options) : 0;
  });
}
