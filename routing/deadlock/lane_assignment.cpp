// One lane suffices if and only if the channel dependency graph has no cycle, which is decided
// first and exactly. Otherwise, lanes are filled one after the other until all routes have one, and
// the search (lane_search.cpp) repeatedly tries to use a third fewer lanes, until it fails.
//
// Of many millions of routes, the search considers only the distinct parts that can take part in a
// deadlock (entangled_parts.h). Smaller sets of routes are searched whole, because the search then
// knows how many routes have each part.
//
// The search returns one order of the channels per lane. A route may use any lane in whose order it
// ascends, and no choice among these lanes causes a cycle. So balancing is free: routes with only
// one possible lane come first, the others get their least loaded possible lane. If more lanes are
// to be used than are needed, the most loaded lanes share their order with further lanes.

#include "routing/deadlock/lane_assignment.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "base/no_index.h"
#include "routing/deadlock/entangled_parts.h"
#include "routing/deadlock/lane_search.h"
#include "routing/deadlock/route_forest.h"

namespace pssp {
namespace {

using LaneSet = std::uint16_t;  // one bit per lane
static_assert(max_data_lanes < 16);

// Elementary changes of one attempt to use fewer lanes; a million changes take 5 to 10 ms.
constexpr std::uint64_t least_work = 20'000'000, work_of_step = 1'000, most_work = 100'000'000;
/// Factor of these limits while the assignment needs more lanes than the fabric has.
constexpr std::uint64_t too_many_lanes = 10;

/// The channels in an order in which all dependencies ascend; none if they have a cycle (Kahn's
/// algorithm).
std::optional<std::vector<std::uint32_t>> topological_order(std::size_t channels,
                                                            const RouteForest& forest) {
  std::vector<std::uint32_t> first(channels + 1, 0), waits_for(channels, 0), sequence;
  for (std::size_t d = 0; d < forest.dependency_count(); ++d) {
    ++first[forest.first_channel()[d] + 1];
    ++waits_for[forest.second_channel()[d]];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  sequence.reserve(channels);
  for (std::uint32_t c = 0; c < channels; ++c) {
    if (waits_for[c] == 0) sequence.push_back(c);
  }
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    for (std::uint32_t d = first[sequence[i]]; d < first[sequence[i] + 1]; ++d) {
      if (--waits_for[forest.second_channel()[d]] == 0)
        sequence.push_back(forest.second_channel()[d]);
    }
  }
  if (sequence.size() != channels) return std::nullopt;
  return sequence;
}

/// Routes that must share a lane: single routes, or all routes between two switches.
class RouteGroups {
 public:
  RouteGroups(const Fabric& fabric, const RouteForest& forest, bool reversible) : forest_(forest) {
    count_ = forest.node_count();
    if (reversible) join_directions(fabric);
  }

  std::size_t count() const noexcept { return count_; }
  /// Whether each route may have its own lane.
  bool are_single_routes() const noexcept { return group_.empty(); }
  std::uint32_t of(std::uint32_t node) const noexcept {
    return group_.empty() ? node : group_[node];
  }

  /// The input of the search: every group with dependencies, without single routes that are the
  /// rest of another route.
  RouteBundles bundles() const { return group_.empty() ? longest_routes() : joined_routes(); }

 private:
  void join_directions(const Fabric& fabric) {
    const std::vector<std::uint32_t> sources = forest_.sources(fabric);
    std::vector<std::uint64_t> pair(forest_.node_count());
    for (std::uint32_t at = 0; at + 1 < forest_.first_node().size(); ++at) {
      for (std::uint32_t n = forest_.first_node()[at]; n < forest_.first_node()[at + 1]; ++n) {
        const auto [low, high] = std::minmax(at, sources[n]);
        pair[n] = std::uint64_t{low} << 32 | high;
      }
    }
    std::vector<std::uint64_t> pairs = pair;
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    group_.reserve(pair.size());
    for (const std::uint64_t each : pair) {
      group_.push_back(static_cast<std::uint32_t>(
          std::lower_bound(pairs.begin(), pairs.end(), each) - pairs.begin()));
    }
    count_ = pairs.size();
  }

  void append_path(RouteBundles& bundles, std::uint32_t node) const {
    for (std::uint32_t n = node; forest_.dependency()[n] != no_index; n = forest_.parent()[n])
      bundles.steps.push_back(forest_.dependency()[n]);
    bundles.first_step.push_back(static_cast<std::uint32_t>(bundles.steps.size()));
  }

  RouteBundles longest_routes() const {
    std::vector<std::uint8_t> is_rest(forest_.node_count(), 0);
    for (const std::uint32_t parent : forest_.parent()) {
      if (parent != no_index) is_rest[parent] = 1;
    }
    RouteBundles bundles;
    for (std::uint32_t n = 0; n < forest_.node_count(); ++n) {
      if (is_rest[n] != 0 || forest_.dependency()[n] == no_index) continue;
      append_path(bundles, n);
      bundles.first_path.push_back(static_cast<std::uint32_t>(bundles.first_step.size() - 1));
    }
    return bundles;
  }

  RouteBundles joined_routes() const {
    std::vector<std::uint32_t> nodes;
    for (std::uint32_t n = 0; n < forest_.node_count(); ++n) {
      if (forest_.is_used()[n] != 0 && forest_.dependency()[n] != no_index) nodes.push_back(n);
    }
    std::stable_sort(nodes.begin(), nodes.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return group_[a] < group_[b]; });
    RouteBundles bundles;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      append_path(bundles, nodes[i]);
      if (i + 1 == nodes.size() || group_[nodes[i]] != group_[nodes[i + 1]])
        bundles.first_path.push_back(static_cast<std::uint32_t>(bundles.first_step.size() - 1));
    }
    return bundles;
  }

  const RouteForest& forest_;
  std::vector<std::uint32_t> group_;  // by node; empty: each node is its own group
  std::size_t count_ = 0;
};

/// By group: the lanes in whose order all of its routes ascend.
std::vector<LaneSet> possible_lanes(const RouteForest& forest, const RouteGroups& groups,
                                    const std::vector<ChannelOrder>& orders) {
  std::vector<LaneSet> ascending(forest.dependency_count(), 0);
  for (std::size_t d = 0; d < ascending.size(); ++d) {
    for (std::size_t lane = 0; lane < orders.size(); ++lane) {
      if (orders[lane].before(forest.first_channel()[d], forest.second_channel()[d]))
        ascending[d] = static_cast<LaneSet>(ascending[d] | 1U << lane);
    }
  }
  const auto all = static_cast<LaneSet>((1U << orders.size()) - 1);
  std::vector<LaneSet> of_node, of_group(groups.count(), all);
  for (std::size_t at = 0; at + 1 < forest.first_node().size(); ++at) {
    const std::uint32_t first = forest.first_node()[at], end = forest.first_node()[at + 1];
    of_node.assign(end - first, all);
    for (std::uint32_t n = first; n < end; ++n) {
      const std::uint32_t dependency = forest.dependency()[n];
      if (dependency != no_index)
        of_node[n - first] = of_node[forest.parent()[n] - first] & ascending[dependency];
      if (forest.is_used()[n] != 0) of_group[groups.of(n)] &= of_node[n - first];
    }
  }
  return of_group;
}

/// Number of (endpoint, LID) pairs of each group.
class GroupLoads {
 public:
  GroupLoads(const RouteForest& forest, const RouteGroups& groups) : of_node_(forest.pairs()) {
    if (groups.are_single_routes()) return;
    sums_.assign(groups.count(), 0);
    for (std::uint32_t n = 0; n < forest.node_count(); ++n) sums_[groups.of(n)] += of_node_[n];
  }

  std::uint64_t operator[](std::size_t group) const noexcept {
    return sums_.empty() ? of_node_[group] : sums_[group];
  }

 private:
  std::span<const std::uint32_t> of_node_;
  std::vector<std::uint64_t> sums_;  // empty: each node is its own group
};

/// Distributes the groups among the lanes.
class LaneChoice {
 public:
  LaneChoice(std::vector<LaneSet> possible, const GroupLoads& loads, std::size_t lanes)
      : possible_(std::move(possible)), loads_(&loads), pairs_(lanes, 0) {
    choose();
  }

  /// By group; no_service_level if no lane is possible.
  const std::vector<ServiceLevel>& lane() const noexcept { return lane_; }
  const std::vector<std::uint64_t>& pairs() const noexcept { return pairs_; }

  /// share()[i] lanes use the order of lane i, `lanes` in total, such that the largest load of a
  /// lane is as small as possible.
  std::vector<unsigned> shares(std::size_t lanes) const {
    std::vector<unsigned> shares(pairs_.size(), 1);
    for (std::size_t used = pairs_.size(); used < lanes; ++used) {
      std::size_t fullest = 0;
      for (std::size_t lane = 1; lane < shares.size(); ++lane) {
        if (pairs_[lane] * shares[fullest] > pairs_[fullest] * shares[lane]) fullest = lane;
      }
      ++shares[fullest];
    }
    return shares;
  }

 private:
  void choose() {
    lane_.assign(possible_.size(), no_service_level);
    for (std::size_t g = 0; g < possible_.size(); ++g) {
      if (std::has_single_bit(possible_[g])) put(g, std::countr_zero(possible_[g]));
    }
    for (std::size_t g = 0; g < possible_.size(); ++g) {
      if (std::popcount(possible_[g]) < 2) continue;
      int best = std::countr_zero(possible_[g]);
      for (unsigned lanes = possible_[g]; lanes != 0; lanes &= lanes - 1) {
        if (pairs_[std::countr_zero(lanes)] < pairs_[best]) best = std::countr_zero(lanes);
      }
      put(g, best);
    }
  }

  void put(std::size_t group, int lane) {
    lane_[group] = static_cast<ServiceLevel>(lane);
    pairs_[lane] += (*loads_)[group];
  }

  std::vector<LaneSet> possible_;
  const GroupLoads* loads_;
  std::vector<ServiceLevel> lane_;
  std::vector<std::uint64_t> pairs_;
};

/// Bytes of the search besides the forest: the bundles, the bundles of each dependency, and for
/// each lane the gains of its moves.
std::uint64_t search_bytes(const RouteForest& forest, const RouteBundles& bundles) {
  constexpr std::uint64_t word = sizeof(std::uint32_t);
  const std::uint64_t lanes = word * max_data_lanes * bundles.count();
  return forest.bytes() + 2 * word * bundles.steps.size() + 6 * word * bundles.count() + lanes +
         6 * word * forest.dependency_count();
}

/// The fewest orders that the search finds. If it finds too few, returns as many orders as there
/// are lanes, with routes that ascend in none of them.
std::vector<ChannelOrder> find_orders(const Fabric& fabric, const RouteForest& forest,
                                      const RouteGroups& groups, const LaneOptions& options,
                                      LaneAssignment& result) {
  if (const auto sequence = topological_order(fabric.channel_count(), forest))
    return {ChannelOrder(*sequence)};
  std::optional<ChannelCreditLoops> credit_loops;
  if (groups.are_single_routes() && forest.node_count() > options.most_whole_routes)
    credit_loops.emplace(fabric.channel_count(), forest);
  const RouteBundles bundles =
      credit_loops ? entangled_parts(forest, *credit_loops) : groups.bundles();
  if (const std::uint64_t bytes = search_bytes(forest, bundles); bytes > options.most_bytes) {
    result.needed = max_data_lanes + 1;
    result.bytes_wanted = bytes;
    return {};
  }
  LaneSearch search(fabric, forest, bundles, options.stop);
  search.fill(max_data_lanes);
  const std::uint64_t effort =
      options.effort * std::min(most_work, least_work + work_of_step * bundles.steps.size());
  const auto attempt = [&](unsigned lanes) {
    const bool is_too_many = lanes >= options.max_lanes && options.insist;
    const std::uint64_t wanted = is_too_many ? too_many_lanes * effort : effort;
    const std::uint64_t left = options.budget - std::min(options.budget, search.work());
    if (left != 0 && search.reduce(lanes, std::min(wanted, left))) return true;
    if (left < wanted) result.budget_spent = true;
    return false;
  };
  unsigned low = 2, high = search.lanes();
  if (search.uncovered() != 0 && !attempt(high)) low = high = max_data_lanes + 1;
  while (low < high && !search.stopped()) {
    const unsigned lanes = high - (high - low + 2) / 3;
    if (attempt(lanes)) {
      high = lanes;
    } else {
      low = lanes + 1;
    }
  }
  result.needed = high;
  result.work = search.work();
  result.stopped = search.stopped();
  std::vector<ChannelOrder> orders = search.orders();
  if (credit_loops) {
    for (ChannelOrder& order : orders) order = credit_loops->untangled(order);
  }
  return orders;
}

}  // namespace

std::uint64_t least_search_bytes(const Fabric& fabric) {
  return sizeof(std::uint32_t) * fabric.lids().size() * fabric.switch_count();
}

LaneAssignment assign_lanes(const Fabric& fabric, const ForwardingTables& tables,
                            const LaneOptions& options) {
  if (options.max_lanes < 1 || options.max_lanes > max_data_lanes) {
    throw Error(ErrorKind::usage,
                fmt::format("{} virtual lanes: expected 1 to {}, the data lanes of a port",
                            options.max_lanes, max_data_lanes));
  }
  if (tables.switch_count() != fabric.switch_count()) {
    throw Error(ErrorKind::mismatch,
                fmt::format("the tables are for {} switches, but the fabric has {}",
                            tables.switch_count(), fabric.switch_count()));
  }
  LaneAssignment result;
  if (const std::uint64_t bytes = least_search_bytes(fabric); bytes > options.most_bytes) {
    result.needed = max_data_lanes + 1;
    result.bytes_wanted = bytes;
    return result;
  }
  const RouteForest forest(fabric, tables, options.switch_ports);
  const RouteGroups groups(fabric, forest, options.reversible);
  result.distinct_routes = forest.node_count();
  result.channel_dependencies = forest.dependency_count();
  std::vector<ChannelOrder> orders = find_orders(fabric, forest, groups, options, result);
  if (result.bytes_wanted != 0) return result;

  const GroupLoads loads(forest, groups);
  LaneChoice choice(possible_lanes(forest, groups, orders), loads, orders.size());
  const bool is_complete = result.needed <= max_data_lanes;
  if (options.balance && is_complete && orders.size() < options.max_lanes) {
    const std::vector<unsigned> shares = choice.shares(options.max_lanes);
    std::vector<ChannelOrder> shared;
    for (std::size_t lane = 0; lane < orders.size(); ++lane)
      shared.insert(shared.end(), shares[lane], orders[lane]);
    orders = std::move(shared);
    choice = LaneChoice(possible_lanes(forest, groups, orders), loads, orders.size());
  }
  result.lanes = static_cast<unsigned>(orders.size());
  result.pairs = choice.pairs();
  result.service_levels = ServiceLevels(fabric.switch_count(), tables.max_lid());
  forest.for_each_route([&](SwitchId s, Lid lid, std::uint32_t node) {
    result.service_levels.set(s, lid,
                              node == no_index ? ServiceLevel{0} : choice.lane()[groups.of(node)]);
  });
  return result;
}

}  // namespace pssp
