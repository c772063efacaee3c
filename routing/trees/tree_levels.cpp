#include "routing/trees/tree_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "base/error.h"
#include "base/no_index.h"

namespace pssp {
namespace {

constexpr std::size_t tolerated = 4;  // at most one link in this many may be within a level

struct LevelLinks {
  std::size_t all = 0;
  std::size_t within_a_level = 0;
  std::uint32_t example = no_index;  // a channel within a rank

  bool are_few() const { return tolerated * within_a_level <= all; }
};

LevelLinks count_links(const Fabric& fabric, std::span<const std::uint32_t> ranks) {
  LevelLinks links;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const std::uint32_t rank = ranks[fabric.channel_tail()[c]];
    if (fabric.channel_reverse()[c] < c || rank == no_rank) continue;
    ++links.all;
    if (rank != ranks[fabric.channel_head()[c]]) continue;
    ++links.within_a_level;
    if (links.example == no_index) links.example = c;
  }
  return links;
}

/// By SwitchId; no_rank if no leaf is reachable.
std::vector<std::uint32_t> hops_to_leaves(const Fabric& fabric,
                                          const std::vector<std::uint8_t>& is_leaf) {
  std::vector<std::uint32_t> rank(fabric.switch_count(), no_rank);
  std::vector<std::uint32_t> order;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (is_leaf[s] == 0) continue;
    rank[s] = 0;
    order.push_back(s);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t s = order[i];
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      const std::uint32_t next = fabric.channel_head()[c];
      if (rank[next] != no_rank) continue;
      rank[next] = rank[s] + 1;
      order.push_back(next);
    }
  }
  return rank;
}

/// Switches with fewer endpoints than the median switch with endpoints, ascending.
std::vector<std::uint32_t> with_few_endpoints(const Fabric& fabric) {
  std::vector<std::uint32_t> counts;
  for (const std::uint32_t count : fabric.endpoints_per_switch()) {
    if (count != 0) counts.push_back(count);
  }
  std::vector<std::uint32_t> few;
  if (counts.empty()) return few;
  const auto middle = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
  std::nth_element(counts.begin(), middle, counts.end());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const std::uint32_t count = fabric.endpoints_per_switch()[s];
    if (count != 0 && count < *middle) few.push_back(s);
  }
  return few;
}

/// Decides which switches with few endpoints are leaves, and which are above the leaves.
class UpperSwitchFinder {
 public:
  /// `is_leaf`: the switches with many endpoints.
  UpperSwitchFinder(const Fabric& fabric, const std::vector<std::uint8_t>& is_leaf)
      : fabric_(fabric),
        is_leaf_(is_leaf),
        rank_(hops_to_leaves(fabric, is_leaf)),
        common_(fabric.switch_count(), 0) {
    gather_neighbours();
  }

  /// Whether its neighbors resemble those of upper switches more than those of leaves. O(channels
  /// at its neighbors).
  bool stands_above(std::uint32_t s) {
    const std::span<const std::uint32_t> neighbours = neighbours_of(s);
    std::vector<std::uint32_t> peers;
    std::size_t leaves = 0;
    for (const std::uint32_t next : neighbours) {
      leaves += is_leaf_[next];
      for (const std::uint32_t peer : neighbours_of(next)) {
        if (peer != s && common_[peer]++ == 0) peers.push_back(peer);
      }
    }
    double like_leaf = 0, like_inner = 0, like_doubtful = 0;
    for (const std::uint32_t peer : peers) {
      const std::size_t fewer = std::min(neighbours.size(), neighbours_of(peer).size());
      const double part = static_cast<double>(common_[peer]) / static_cast<double>(fewer);
      common_[peer] = 0;
      const bool is_inner = fabric_.endpoints_per_switch()[peer] == 0;
      if (is_leaf_[peer] != 0) {
        like_leaf = std::max(like_leaf, part);
      } else if (rank_[peer] == rank_[s]) {
        double& like = is_inner ? like_inner : like_doubtful;
        like = std::max(like, part);
      } else if (is_inner && part > .5) {
        // A leaf module of a director whose only host is this one is farther from all leaves than
        // other leaf modules.
        like_inner = std::max(like_inner, part);
      }
    }
    if (like_leaf > .5) return false;
    if (like_inner > like_leaf) return true;
    // All its peers may have hosts, too. A pod of leaves with few hosts has no other leaf.
    return like_leaf == 0 ? 2 * leaves > neighbours.size() : like_doubtful > like_leaf;
  }

 private:
  void gather_neighbours() {
    first_neighbour_.assign(1, 0);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const auto first = static_cast<std::ptrdiff_t>(neighbours_.size());
      const auto heads = fabric_.channel_head();
      neighbours_.insert(neighbours_.end(), heads.begin() + fabric_.first_channel()[s],
                         heads.begin() + fabric_.first_channel()[s + 1]);
      std::sort(neighbours_.begin() + first, neighbours_.end());
      neighbours_.erase(std::unique(neighbours_.begin() + first, neighbours_.end()),
                        neighbours_.end());
      first_neighbour_.push_back(neighbours_.size());
    }
  }

  /// Distinct neighbors, ascending.
  std::span<const std::uint32_t> neighbours_of(std::uint32_t s) const {
    return std::span(neighbours_)
        .subspan(first_neighbour_[s], first_neighbour_[s + 1] - first_neighbour_[s]);
  }

  const Fabric& fabric_;
  const std::vector<std::uint8_t>& is_leaf_;
  std::vector<std::uint32_t> rank_, common_;
  std::vector<std::uint32_t> neighbours_;
  std::vector<std::size_t> first_neighbour_;
};

}  // namespace

std::vector<std::uint32_t> switch_ranks(const Fabric& fabric) {
  std::vector<std::uint8_t> is_leaf(fabric.switch_count());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    is_leaf[s] = fabric.endpoints_per_switch()[s] != 0 ? 1 : 0;
  }
  std::vector<std::uint32_t> doubtful = with_few_endpoints(fabric);
  if (!doubtful.empty()) {
    std::vector<std::uint8_t> is_sure = is_leaf;
    for (const std::uint32_t s : doubtful) is_sure[s] = 0;
    UpperSwitchFinder finder(fabric, is_sure);
    for (const std::uint32_t s : doubtful) is_leaf[s] = finder.stands_above(s) ? 0 : 1;
  }
  std::vector<std::uint32_t> rank = hops_to_leaves(fabric, is_leaf);
  // On an island without leaves, the doubtful switches are the leaves.
  bool has_leafless_island = false;
  for (const std::uint32_t s : doubtful) {
    if (rank[s] != no_rank) continue;
    is_leaf[s] = 1;
    has_leafless_island = true;
  }
  return has_leafless_island ? hops_to_leaves(fabric, is_leaf) : rank;
}

bool is_tree(const Fabric& fabric, std::span<const std::uint32_t> ranks) {
  return count_links(fabric, ranks).are_few();
}

void require_tree(const Fabric& fabric, std::span<const std::uint32_t> ranks) {
  const LevelLinks links = count_links(fabric, ranks);
  if (links.are_few()) return;
  throw Error(ErrorKind::unsuitable_topology,
              fmt::format("the fabric is not a tree: {} of {} links join switches that are equally "
                          "far from the nearest hosts, such as {}; expected at most one in {} in a "
                          "tree with some links missing; use engine best",
                          links.within_a_level, links.all,
                          fabric.channel_label(ChannelId(links.example)), tolerated));
}

}  // namespace pssp
