#pragma once

#include <cstdint>

namespace pssp {

/// Section [fit]: how many nodes that become unfit within an hour the scheduler is advised to
/// drain. A wrong limit, or a fabric fault that affects all nodes, must not empty a cluster.
struct FitSettings {
  std::uint32_t most_drained = 5;
  /// percentage of all nodes; applies if it allows more than most_drained
  std::uint32_t most_drained_percent = 2;
};

}  // namespace pssp
