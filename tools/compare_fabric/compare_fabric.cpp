// compare_fabric: compares the cabling of a fabric with its plan
// (docs/reference/compare_fabric.md).

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
