#include "fabric/paths/hop_distances.h"

namespace pssp {

HopDistances::HopDistances(const Fabric& fabric)
    : fabric_(fabric), distance_(fabric.switch_count(), unreachable_distance) {
  order_.reserve(fabric.switch_count());
}

void HopDistances::search(SwitchId root) {
  for (const std::uint32_t s : order_) distance_[s] = unreachable_distance;
  order_.clear();
  order_.push_back(root.value());
  distance_[root.value()] = 0;
  const auto first = fabric_.first_channel();
  const auto head = fabric_.channel_head();
  // Stops when all switches are found.
  for (std::size_t i = 0; i < order_.size() && order_.size() < distance_.size(); ++i) {
    const std::uint32_t s = order_[i];
    // Every link has both directions, so the distance from the root is the distance to it.
    for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
      if (distance_[head[c]] != unreachable_distance) continue;
      distance_[head[c]] = distance_[s] + 1;
      order_.push_back(head[c]);
    }
  }
}

}  // namespace pssp
