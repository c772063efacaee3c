// compare_fabric: is a fabric cabled as planned (docs/reference/compare-fabric.md)?

#include <optional>

#include "tools/compare_fabric/options.h"
#include "tools/compare_fabric/run.h"
#include "tools/kit/tool.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("compare_fabric", [&] {
    const std::optional<CompareFabricOptions> options = parse_compare_fabric_options(argc, argv);
    return options ? compare_fabric(*options) : 0;
  });
}
