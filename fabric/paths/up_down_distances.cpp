#include "fabric/paths/up_down_distances.h"

#include <algorithm>

namespace pssp {

UpDownDistances::UpDownDistances(const Fabric& fabric, const UpDownOrder& order)
    : fabric_(fabric),
      highest_first_(order.highest_first().begin(), order.highest_first().end()),
      is_up_(fabric.channel_count()),
      descent_(fabric.switch_count(), unreachable_distance),
      from_above_(fabric.switch_count(), 0),
      distance_(fabric.switch_count(), unreachable_distance) {
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    is_up_[c] = order.is_above(fabric.channel_head()[c], fabric.channel_tail()[c]) ? 1 : 0;
  }
}

void UpDownDistances::search(SwitchId root) {
  measure_descents(root.value());
  choose_directions();
  sort_by_distance();
}

/// Breadth-first up from the root: each link has both directions.
void UpDownDistances::measure_descents(std::uint32_t root) {
  for (const std::uint32_t s : above_root_) descent_[s] = unreachable_distance;
  above_root_.assign(1, root);
  descent_[root] = 0;
  for (std::size_t i = 0; i < above_root_.size(); ++i) {
    const std::uint32_t s = above_root_[i];
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      const std::uint32_t higher = fabric_.channel_head()[c];
      if (!goes_up(c) || descent_[higher] != unreachable_distance) continue;
      descent_[higher] = descent_[s] + 1;
      above_root_.push_back(higher);
    }
  }
}

void UpDownDistances::choose_directions() {
  const auto first = fabric_.first_channel();
  const auto head = fabric_.channel_head();
  std::fill(from_above_.begin(), from_above_.end(), std::uint8_t{0});
  for (const std::uint32_t s : highest_first_) {
    distance_[s] = descent_[s];
    if (from_above_[s] == 0) {
      for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
        if (goes_up(c) && distance_[head[c]] != unreachable_distance) {
          distance_[s] = std::min(distance_[s], distance_[head[c]] + 1);
        }
      }
    }
    const bool descends = distance_[s] == descent_[s] && distance_[s] != unreachable_distance;
    if (!descends || descent_[s] == 0) continue;
    for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
      if (!goes_up(c) && descent_[head[c]] + 1 == descent_[s]) from_above_[head[c]] = 1;
    }
  }
}

void UpDownDistances::sort_by_distance() {
  first_position_.clear();
  for (const std::uint32_t s : highest_first_) {
    if (distance_[s] == unreachable_distance) continue;
    if (distance_[s] + 1 >= first_position_.size()) first_position_.resize(distance_[s] + 2, 0);
    ++first_position_[distance_[s] + 1];
  }
  for (std::size_t d = 1; d < first_position_.size(); ++d)
    first_position_[d] += first_position_[d - 1];
  order_.resize(first_position_.back());
  for (const std::uint32_t s : highest_first_) {
    if (distance_[s] != unreachable_distance) order_[first_position_[distance_[s]]++] = s;
  }
}

}  // namespace pssp
