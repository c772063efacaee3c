// fault_impact: what each single fault of a fabric costs (docs/reference/fault-impact.md).

#include <optional>

#include "tools/fault_impact/options.h"
#include "tools/fault_impact/run.h"
#include "tools/kit/tool.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("fault_impact", [&] {
    const std::optional<FaultOptions> options = parse_fault_options(argc, argv);
    return options ? fault_impact(*options) : 0;
  });
}
