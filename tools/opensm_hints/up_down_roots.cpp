// updn and dnup require root switches (opensm -a FILE). A route climbs towards the roots and then
// descends, so the roots determine the possible routes. The candidates are several sets: for each
// height (hops to the nearest switch with hosts), highest first, all switches of that height, which
// are the spines of a tree; the peaks, which have no higher neighbor, as in trees of uneven depth;
// and one switch of least eccentricity, for meshes and other fabrics without a top. The chosen set
// connects most pairs of leaves (switches with hosts); ties are broken by most pairs with minimal
// routes, then by most minimal routes, then by order.

#include "tools/opensm_hints/up_down_roots.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "fabric/paths/distance_matrix.h"

namespace pssp {
namespace {

/// Switches of the island with most hosts (the first of equals), ascending.
std::vector<SwitchId> main_island(const Fabric& fabric, const DistanceMatrix& distances) {
  std::vector<bool> seen(fabric.switch_count(), false);
  std::vector<SwitchId> best;
  std::uint64_t most_hosts = 0;
  for (std::uint32_t first = 0; first < fabric.switch_count(); ++first) {
    if (seen[first]) continue;
    std::uint64_t hosts = 0;
    std::vector<SwitchId> island;
    for (std::uint32_t s = first; s < fabric.switch_count(); ++s) {
      if (distances.to(SwitchId(first))[s] == DistanceMatrix::unreachable) continue;
      seen[s] = true;
      island.emplace_back(s);
      hosts += fabric.endpoints_per_switch()[s];
    }
    if (hosts > most_hosts) {
      most_hosts = hosts;
      best = std::move(island);
    }
  }
  if (best.empty()) throw Error(ErrorKind::unsuitable_topology, "no host is cabled to a switch");
  return best;
}

/// Hops of each switch to the nearest root: its rank in opensm's updn.
std::vector<std::uint32_t> ranks_below(const Fabric& fabric, const DistanceMatrix& distances,
                                       const std::vector<SwitchId>& roots) {
  std::vector<std::uint32_t> rank(fabric.switch_count(), DistanceMatrix::unreachable);
  for (const SwitchId root : roots) {
    for (std::size_t s = 0; s < rank.size(); ++s) {
      rank[s] = std::min<std::uint32_t>(rank[s], distances.to(root)[s]);
    }
  }
  return rank;
}

/// The routes that climb towards the roots and then descend.
struct RootQuality {
  std::uint64_t joined = 0;   ///< ordered pairs of leaves with a route
  std::uint64_t minimal = 0;  ///< pairs with a minimal route
  double paths = 0;           ///< number of minimal routes, of all pairs
  friend bool operator<(const RootQuality& a, const RootQuality& b) {
    return std::tie(a.joined, a.minimal, a.paths) < std::tie(b.joined, b.minimal, b.paths);
  }
};

/// The shortest routes from one switch to another that climb and then descend.
struct UpDownRoutes {
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  std::uint32_t hops = none;
  double paths = 0;  ///< number of such routes
};

/// Breadth-first search for such routes, from one switch at a time.
class UpDownSearch {
 public:
  UpDownSearch(const Fabric& fabric, std::vector<std::uint32_t> rank)
      : fabric_(fabric), rank_(std::move(rank)), states_(2 * fabric.switch_count()) {}

  /// O(switches + channels).
  void search(SwitchId from) {
    states_.assign(states_.size(), {});
    queue_.assign(1, 2 * from.value());
    states_[queue_.front()] = {0, 1};
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      const std::uint32_t s = queue_[next] / 2;
      const bool descends = queue_[next] % 2 != 0;
      const auto [hops, paths] = states_[queue_[next]];
      for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
        const std::uint32_t to = fabric_.channel_head()[c];
        const bool up = is_up(s, to);
        if (descends && up) continue;
        UpDownRoutes& found = states_[2 * to + (up ? 0 : 1)];
        if (found.hops == UpDownRoutes::none) {
          found.hops = hops + 1;
          queue_.push_back(2 * to + (up ? 0 : 1));
        }
        if (found.hops == hops + 1) found.paths += paths;
      }
    }
  }

  /// From the switch of search().
  UpDownRoutes to(SwitchId s) const {
    const UpDownRoutes* const of_switch = states_.data() + std::size_t{2} * s.value();
    const UpDownRoutes& climbing = of_switch[0];
    const UpDownRoutes& descending = of_switch[1];
    if (climbing.hops != descending.hops) {
      return climbing.hops < descending.hops ? climbing : descending;
    }
    return {climbing.hops, climbing.paths + descending.paths};
  }

 private:
  /// As in updn: between roots, both directions are up; between equal ranks, the GUID, by which
  /// switches are numbered, decides.
  bool is_up(std::uint32_t from, std::uint32_t to) const {
    if (rank_[from] == 0 && rank_[to] == 0) return true;
    return rank_[to] < rank_[from] || (rank_[to] == rank_[from] && to < from);
  }

  const Fabric& fabric_;
  std::vector<std::uint32_t> rank_;
  std::vector<UpDownRoutes> states_;  // of switch s: 2 s still climbing, 2 s + 1 descending
  std::vector<std::uint32_t> queue_;
};

RootQuality quality(const Fabric& fabric, const DistanceMatrix& distances,
                    const std::vector<SwitchId>& leaves, const std::vector<SwitchId>& roots) {
  UpDownSearch search(fabric, ranks_below(fabric, distances, roots));
  RootQuality result;
  for (const SwitchId from : leaves) {
    search.search(from);
    for (const SwitchId to : leaves) {
      const UpDownRoutes routes = search.to(to);
      if (routes.hops == UpDownRoutes::none) continue;
      ++result.joined;
      if (routes.hops != distances.to(to)[from.value()]) continue;
      ++result.minimal;
      result.paths += routes.paths;
    }
  }
  return result;
}

/// The switch with the smallest distance to its farthest switch; of equals the one with most hosts,
/// then the first.
SwitchId centre(const Fabric& fabric, const DistanceMatrix& distances,
                const std::vector<SwitchId>& island) {
  const auto eccentricity = [&](SwitchId s) {
    std::uint32_t farthest = 0;
    for (const SwitchId other : island) {
      farthest = std::max<std::uint32_t>(farthest, distances.to(s)[other.value()]);
    }
    return farthest;
  };
  const auto hosts = fabric.endpoints_per_switch();
  SwitchId best = island.front();
  std::uint32_t least = DistanceMatrix::unreachable;
  for (const SwitchId s : island) {
    const std::uint32_t own = eccentricity(s);
    if (own < least || (own == least && hosts[s.value()] > hosts[best.value()])) {
      least = own;
      best = s;
    }
  }
  return best;
}

/// Sets of candidate roots, as described above. No set is empty.
std::vector<std::vector<SwitchId>> root_candidates(const Fabric& fabric,
                                                   const DistanceMatrix& distances,
                                                   const std::vector<SwitchId>& island,
                                                   const std::vector<SwitchId>& leaves) {
  const std::vector<std::uint32_t> height = ranks_below(fabric, distances, leaves);
  const auto is_peak = [&](SwitchId s) {
    const auto first = fabric.channel_head().begin();
    return std::none_of(first + fabric.first_channel()[s.value()],
                        first + fabric.first_channel()[s.value() + 1],
                        [&](std::uint32_t t) { return height[t] > height[s.value()]; });
  };
  std::vector<std::vector<SwitchId>> candidates;
  std::vector<SwitchId> peaks;
  for (const SwitchId s : island) {
    const std::uint32_t own = height[s.value()];
    if (own == 0) continue;
    if (is_peak(s)) peaks.push_back(s);
    if (candidates.size() < own) candidates.resize(own);
    candidates[own - 1].push_back(s);
  }
  std::reverse(candidates.begin(), candidates.end());
  if (!peaks.empty()) candidates.push_back(std::move(peaks));
  candidates.emplace_back(1, centre(fabric, distances, island));
  return candidates;
}

}  // namespace

std::vector<SwitchId> find_up_down_roots(const Fabric& fabric) {
  const DistanceMatrix distances(fabric);
  const std::vector<SwitchId> island = main_island(fabric, distances);
  std::vector<SwitchId> leaves;
  for (const SwitchId s : island) {
    if (fabric.endpoints_per_switch()[s.value()] != 0) leaves.push_back(s);
  }
  std::vector<SwitchId> best;
  RootQuality best_quality;
  for (std::vector<SwitchId>& roots : root_candidates(fabric, distances, island, leaves)) {
    const RootQuality found = quality(fabric, distances, leaves, roots);
    if (!(best_quality < found)) continue;
    best_quality = found;
    best = std::move(roots);
  }
  return best;
}

}  // namespace pssp
