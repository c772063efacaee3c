#pragma once

// Hop distances between all pairs of switches.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Two bytes per pair: 200 MB for 10,000 switches.
class DistanceMatrix {
 public:
  static constexpr std::uint16_t unreachable = 0xFFFF;

  /// Throws Error(unsuitable_topology) if two switches are 65,535 hops or more apart. O(switches *
  /// channels).
  explicit DistanceMatrix(const Fabric& fabric);

  /// Distances in switch-to-switch channels to `root`, by SwitchId.
  const std::uint16_t* to(SwitchId root) const noexcept {
    return distance_.data() + root.value() * width_;
  }

 private:
  std::size_t width_;
  std::vector<std::uint16_t> distance_;
};

}  // namespace pssp
