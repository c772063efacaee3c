// order_nodes: in which order a job's nodes are to be started (docs/reference/order-nodes.md).

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
