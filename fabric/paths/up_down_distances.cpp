#include "fabric/paths/up_down_distances.h"

#include <algorithm>

namespace pssp {

UpDownDistances::UpDownDistances(const Fabric& fabric, const UpDownOrder& order)
    : fabric_(fabric),
      highest_first_(order.highest_first().begin(), order.highest_first().end()),
      is_up_(fabric.channel_count()),
      descent_(fabric.switch_count(), unreachable_distance),
      can_climb_(fabric.switch_count(), 0),
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

/// Breadth-first search up from the root, since each link has both directions. The descents of all
/// switches that are no farther than s are known when s is expanded.
void UpDownDistances::measure_descents(std::uint32_t root) {
  for (const std::uint32_t s : above_root_) descent_[s] = unreachable_distance;
  above_root_.assign(1, root);
  descent_[root] = 0;
  for (std::size_t i = 0; i < above_root_.size(); ++i) {
    const std::uint32_t s = above_root_[i];
    can_climb_[s] = 0;
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      const std::uint32_t higher = fabric_.channel_head()[c];
      if (!goes_up(c)) continue;
      if (descent_[higher] != unreachable_distance) {
        if (descent_[higher] < descent_[s] && fabric_.endpoints_per_switch()[s] != 0)
          can_climb_[s] = 1;
        continue;
      }
      descent_[higher] = descent_[s] + 1;
      above_root_.push_back(higher);
    }
  }
}

/// A switch that is entered from above cannot use its uplinks. If its hosts have an up path that is
/// as short as the down path, other switches enter it from above only without another path of equal
/// length.
void UpDownDistances::choose_directions() {
  std::fill(from_above_.begin(), from_above_.end(), std::uint8_t{0});
  for (const std::uint32_t s : highest_first_) {
    const std::uint32_t climb = from_above_[s] == 0 ? shortest_climb(s) : unreachable_distance;
    distance_[s] = std::min(descent_[s], climb);
    const bool descends = distance_[s] == descent_[s] && distance_[s] != unreachable_distance;
    if (!descends || descent_[s] == 0) continue;
    if (!open_descents(s, false) && climb != descent_[s]) open_descents(s, true);
  }
}

/// Hops of the shortest path that begins with an up channel.
std::uint32_t UpDownDistances::shortest_climb(std::uint32_t s) const {
  std::uint32_t shortest = unreachable_distance;
  for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
    const std::uint32_t higher = distance_[fabric_.channel_head()[c]];
    if (goes_up(c) && higher != unreachable_distance) shortest = std::min(shortest, higher + 1);
  }
  return shortest;
}

/// Marks the next switches on the shortest descents of s as entered from above: those with
/// can_climb_ or those without. Returns whether there are any.
bool UpDownDistances::open_descents(std::uint32_t s, bool can_climb) {
  bool any = false;
  for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
    const std::uint32_t lower = fabric_.channel_head()[c];
    if (goes_up(c) || descent_[lower] + 1 != descent_[s]) continue;
    if ((can_climb_[lower] != 0) != can_climb) continue;
    from_above_[lower] = 1;
    any = true;
  }
  return any;
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
