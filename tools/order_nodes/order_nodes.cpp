// order_nodes: finds the order in which to start a job's nodes (docs/reference/order_nodes.md).

#include <optional>

#include "tools/kit/tool.h"
#include "tools/order_nodes/options.h"
#include "tools/order_nodes/run.h"

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("order_nodes", [&] {
    const std::optional<OrderNodesOptions> options = parse_order_nodes_options(argc, argv);
    return options ? order_nodes(*options) : 0;
  });
}
