#pragma once

#include <cstdint>

namespace pssp {

/// Section [fit]: how many nodes that turn unfit within an hour a scheduler is told to drain. A
/// wrong limit, or a fault of the fabric that all nodes see, must not empty a cluster.
struct FitSettings {
  std::uint32_t most_drained = 5;
  std::uint32_t most_drained_percent = 2;  ///< of the nodes, where that is more
};

}  // namespace pssp
