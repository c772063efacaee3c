#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/diagnosis/node_choice.h"
#include "tools/order_nodes/order_text.h"

namespace pssp {

struct OrderNodesOptions {
  std::vector<std::string> files;
  NodeChoiceOptions choice;
  std::string pattern = "ring";
  std::uint32_t ranks_per_node = 1;
  OrderFormat format = OrderFormat::plain;
  std::uint64_t seed = 1;
  bool json = false;
  std::string output = "-";
};

/// None if --help or --version was printed. Throws Error(usage).
std::optional<OrderNodesOptions> parse_order_nodes_options(int argc, const char* const* argv);

}  // namespace pssp
