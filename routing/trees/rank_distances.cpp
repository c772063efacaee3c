// A switch is entered from above only on the way down to the root, and then has a local search
// itself. So it is enough that switches with a local search go down: tables need not know where a
// packet comes from. Climbs are measured highest switch first, as each needs those of its upper
// neighbours.

#include "routing/trees/rank_distances.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pssp {

RankDistances::RankDistances(const Fabric& fabric, std::vector<std::uint32_t> ranks)
    : fabric_(fabric),
      rank_(std::move(ranks)),
      highest_first_(fabric.switch_count()),
      distance_(fabric.switch_count(), unreachable_distance),
      path_(fabric.switch_count(), PathChoice::any) {
  std::iota(highest_first_.begin(), highest_first_.end(), 0U);
  std::stable_sort(highest_first_.begin(), highest_first_.end(),
                   [this](std::uint32_t a, std::uint32_t b) { return rank_[a] > rank_[b]; });
}

void RankDistances::search(SwitchId root) {
  std::fill(distance_.begin(), distance_.end(), unreachable_distance);
  std::fill(path_.begin(), path_.end(), PathChoice::any);
  measure_descents(root.value());
  measure_climbs();
  measure_rest();
  sort_by_distance();
}

void RankDistances::measure_descents(std::uint32_t root) {
  order_.assign(1, root);
  distance_[root] = 0;
  path_[root] = PathChoice::down;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::uint32_t s = order_[i];
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      const std::uint32_t above = fabric_.channel_head()[c];
      if (rank_[above] <= rank_[s] || distance_[above] != unreachable_distance) continue;
      distance_[above] = distance_[s] + 1;
      path_[above] = PathChoice::down;
      order_.push_back(above);
    }
  }
}

void RankDistances::measure_climbs() {
  for (const std::uint32_t s : highest_first_) {
    if (path_[s] == PathChoice::down) continue;
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      const std::uint32_t above = fabric_.channel_head()[c];
      if (rank_[above] <= rank_[s] || distance_[above] == unreachable_distance) continue;
      distance_[s] = std::min(distance_[s], distance_[above] + 1);
      path_[s] = PathChoice::up;
    }
  }
}

/// Switches without a legal path: hop by hop from those that have one, as often as that helps.
void RankDistances::measure_rest() {
  legal_from_leaves_ = true;
  std::vector<std::uint32_t> rest;
  for (const std::uint32_t s : highest_first_) {
    if (distance_[s] == unreachable_distance) rest.push_back(s);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t s : rest) {
      for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
        const std::uint32_t next = fabric_.channel_head()[c];
        if (distance_[next] == unreachable_distance || distance_[next] + 1 >= distance_[s]) {
          continue;
        }
        distance_[s] = distance_[next] + 1;
        changed = true;
      }
    }
  }
  for (const std::uint32_t s : rest) {
    const bool has_endpoints = fabric_.endpoints_per_switch()[s] != 0;
    if (has_endpoints && distance_[s] != unreachable_distance) legal_from_leaves_ = false;
  }
}

void RankDistances::sort_by_distance() {
  order_.clear();
  for (std::uint32_t s = 0; s < distance_.size(); ++s) {
    if (distance_[s] != unreachable_distance) order_.push_back(s);
  }
  std::stable_sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
    return distance_[a] < distance_[b];
  });
}

bool RankDistances::is_next_hop(std::uint32_t s, std::uint32_t channel) const noexcept {
  const std::uint32_t next = fabric_.channel_head()[channel];
  if (distance_[next] == unreachable_distance || distance_[next] + 1 != distance_[s]) return false;
  switch (path_[s]) {
    case PathChoice::down:
      return rank_[next] < rank_[s] && path_[next] == PathChoice::down;
    case PathChoice::up:
      return rank_[next] > rank_[s];
    case PathChoice::any:
      break;
  }
  return true;
}

}  // namespace pssp
