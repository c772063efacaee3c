// The switches up to a rank form connected parts, such as leaves or pods. Only the links of a part
// to the next rank join it to the rest of the fabric. So with any tables, all routes from its
// endpoints to other parts, and back, use these links; the sum of squares is minimal if each link
// has the same number of routes. Different ranks have different links, so their sums add up.

#include "routing/engines/parts/counts/shared_pairs_bound.h"

#include <algorithm>
#include <vector>

#include "base/disjoint_sets.h"
#include "fabric/paths/islands.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

struct Population {
  std::uint64_t endpoints = 0;
  std::uint64_t lids = 0;  // of these
  std::uint64_t links_up = 0;
};

/// The smallest possible sum of squares of the routes per channel.
double least_squares(std::uint64_t routes, std::uint64_t channels) {
  if (channels == 0) return 0;
  const std::uint64_t quotient = routes / channels;
  const auto each = static_cast<double>(quotient);
  const auto more = static_cast<double>(routes % channels);
  return static_cast<double>(channels) * each * each + more * (2 * each + 1);
}

class PartBound {
 public:
  explicit PartBound(const Fabric& fabric)
      : fabric_(fabric),
        rank_(switch_ranks(fabric)),
        island_(islands(fabric)),
        own_(fabric.switch_count()),
        parts_(fabric.switch_count()) {
    for (const EndPortId e : fabric.endpoints()) {
      Population& own = own_[fabric.end_port(e).attached.value()];
      ++own.endpoints;
      own.lids += std::uint64_t{1} << fabric.end_port(e).lmc;
    }
    total_ = gather([this](std::uint32_t s) { return island_[s]; });
  }

  /// All terms are whole numbers: below 2^53 sums are exact.
  double sum() {
    double sum = 0;
    for (std::uint32_t rank = 0; std::count(rank_.begin(), rank_.end(), rank) != 0; ++rank) {
      join(rank);
      sum += sum_of_parts(rank);
    }
    return sum;
  }

 private:
  template <class PartOf>
  std::vector<Population> gather(const PartOf& part_of) const {
    std::vector<Population> parts(fabric_.switch_count());
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      parts[part_of(s)].endpoints += own_[s].endpoints;
      parts[part_of(s)].lids += own_[s].lids;
    }
    return parts;
  }

  /// Adds the switches of a rank to the parts of those below.
  void join(std::uint32_t rank) {
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
      const std::uint32_t a = fabric_.channel_tail()[c], b = fabric_.channel_head()[c];
      if (rank_[a] == rank && rank_[b] <= rank) parts_.unite(a, b);
    }
  }

  double sum_of_parts(std::uint32_t rank) {
    std::vector<Population> parts = gather([this](std::uint32_t s) { return parts_.root(s); });
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
      const std::uint32_t a = fabric_.channel_tail()[c];
      if (rank_[a] == rank && rank_[fabric_.channel_head()[c]] == rank + 1) {
        ++parts[parts_.root(a)].links_up;
      }
    }
    double sum = 0;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const Population& here = parts[s];  // empty unless s is the root of a part
      const Population& all = total_[island_[s]];
      sum += least_squares(here.endpoints * (all.lids - here.lids), here.links_up) +
             least_squares(here.lids * (all.endpoints - here.endpoints), here.links_up);
    }
    return sum;
  }

  const Fabric& fabric_;
  std::vector<std::uint32_t> rank_, island_;
  std::vector<Population> own_;  // by SwitchId
  DisjointSets parts_;
  std::vector<Population> total_;  // by island
};

}  // namespace

std::uint64_t least_shared_pairs(const Fabric& fabric) {
  const auto costs = fabric.channel_cost();
  if (!std::all_of(costs.begin(), costs.end(), [](double cost) { return cost == 1; })) return 0;
  const double sum = PartBound(fabric).sum();
  return sum < 0x1p53 ? static_cast<std::uint64_t>(sum) : 0;
}

}  // namespace pssp
