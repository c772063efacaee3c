#pragma once

// Tables made of one tree per destination LID, each the cheapest on the loads that the trees before
// it left behind: what the engines have in common that differ in which ways they allow.

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/destination_order.h"

namespace pssp {

/// The tree towards the current destination: per switch the channel that its packets leave by.
struct ForwardingTree {
  static constexpr std::uint32_t no_channel = std::numeric_limits<std::uint32_t>::max();
  /// ChannelId by SwitchId; no_channel at the root and on other islands.
  std::vector<std::uint32_t> out;
  /// Switches of the tree, each behind the one that it forwards to; the root first.
  std::vector<std::uint32_t> order;
};

/// Shortest trees: the channels that lead nearer to one switch, and the cheapest choice among them.
/// `Distances` says what is near: HopDistances or UpDownDistances. For one destination the channels
/// that lead one hop nearer form a directed acyclic graph. All destinations behind one switch share
/// it, so it is built once a switch. Taking switches nearest first, the cheapest way out of each is
/// one comparison per channel; no heap is needed.
template <class Distances>
class ShortestTrees {
 public:
  ShortestTrees(const Fabric& fabric, Distances distances)
      : fabric_(fabric), distances_(std::move(distances)), cost_(fabric.switch_count()) {
    tree_.out.assign(fabric.switch_count(), ForwardingTree::no_channel);
  }

  /// O(switches + channels).
  void set_root(SwitchId root) {
    for (const std::uint32_t s : tree_.order) tree_.out[s] = ForwardingTree::no_channel;
    distances_.search(root);
    tree_.order.assign(distances_.order().begin(), distances_.order().end());
    first_candidate_.assign(1, 0);
    candidates_.clear();
    const auto first = fabric_.first_channel();
    const auto head = fabric_.channel_head();
    for (const std::uint32_t s : tree_.order) {
      for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
        if (distances_.leads(s, c)) candidates_.push_back({c, head[c]});
      }
      first_candidate_.push_back(static_cast<std::uint32_t>(candidates_.size()));
    }
  }

  /// The cheapest tree towards the root; `load` is what each channel costs, by ChannelId. Valid
  /// until the next call. O(switches + channels).
  const ForwardingTree& search(const std::vector<double>& load) {
    cost_[tree_.order.front()] = 0;
    for (std::size_t i = 1; i < tree_.order.size(); ++i) {
      const std::uint32_t s = tree_.order[i];
      double best = std::numeric_limits<double>::infinity();
      std::uint32_t out = ForwardingTree::no_channel;
      for (std::uint32_t k = first_candidate_[i]; k < first_candidate_[i + 1]; ++k) {
        const double cost = cost_[candidates_[k].head] + load[candidates_[k].channel];
        if (cost < best) {
          best = cost;
          out = candidates_[k].channel;
        }
      }
      cost_[s] = best;
      tree_.out[s] = out;
    }
    return tree_;
  }

 private:
  struct Candidate {
    std::uint32_t channel;
    std::uint32_t head;
  };

  const Fabric& fabric_;
  Distances distances_;
  std::vector<double> cost_;
  std::vector<std::uint32_t> first_candidate_;  // by position in the order
  std::vector<Candidate> candidates_;
  ForwardingTree tree_;
};

/// Enters trees into tables and adds their routes to the loads. Going back farthest first, the
/// number of endpoints behind each switch gives what a tree adds to the load of each channel.
class TreeRecorder {
 public:
  explicit TreeRecorder(const Fabric& fabric);

  void record(const ForwardingTree& tree, Lid lid, ForwardingTables& tables);

  /// Adds `weight` to the loads of the channels that the tables use for the LIDs of the same port
  /// before `lid`. A weight too small to count against a route makes the search prefer another way
  /// where the loads leave the choice: several LIDs a port are there to give it several ways.
  void lean_against_siblings(Lid lid, const ForwardingTables& tables, double weight);

  /// By ChannelId, relative to the capacity: a link of half the speed is loaded twice as much by a
  /// route, and so gets half the routes.
  const std::vector<double>& load() const noexcept { return load_; }

 private:
  const Fabric& fabric_;
  std::vector<double> load_;
  std::vector<std::uint32_t> endpoints_;  // behind each switch of the tree
};

/// Tables, and the sum over the channels of the squared load: the number of pairs of routes that
/// share a channel, which tells better than the largest load how much they hurt each other.
struct LoadBalancedTables {
  ForwardingTables tables;
  double shared_pairs = 0;
};

/// `Trees`: set_root(SwitchId) and search(loads), as ShortestTrees has them. Only routes between
/// endpoints count; the other LIDs are routed last. Throws Stopped.
template <class Trees>
LoadBalancedTables route_in_order(const Fabric& fabric, const DestinationOrder& order, Trees& trees,
                                  const StopSignal& stop = {}) {
  // A power of two, so that adding and subtracting it is exact; less than one route's share even of
  // the fastest link.
  constexpr double sibling_weight = 1.0 / 1024;
  LoadBalancedTables result{.tables = ForwardingTables(fabric.switch_count(), fabric.max_lid())};
  TreeRecorder recorder(fabric);
  const auto route = [&](const std::vector<DestinationGroup>& groups) {
    for (const DestinationGroup& group : groups) {
      stop.check("routing by trees", group, groups);
      trees.set_root(group.at);
      for (const Lid lid : group.lids) {
        recorder.lean_against_siblings(lid, result.tables, sibling_weight);
        const ForwardingTree& tree = trees.search(recorder.load());
        recorder.lean_against_siblings(lid, result.tables, -sibling_weight);
        recorder.record(tree, lid, result.tables);
      }
    }
  };
  route(order.endpoints);
  for (const double load : recorder.load()) result.shared_pairs += load * load;
  route(order.others);
  return result;
}

/// In which order destinations are routed (destination_order.h). best: by_switch on indirect
/// networks, else whichever gives the fewer shared pairs.
enum class OrderChoice : std::uint8_t { best, by_switch, in_turns };

/// `switches`: see switches_by_proximity().
template <class Trees>
ForwardingTables route_by_trees(const Fabric& fabric, const std::vector<SwitchId>& switches,
                                OrderChoice order, Trees& trees, const StopSignal& stop = {}) {
  if (order == OrderChoice::best && !is_direct_network(fabric)) order = OrderChoice::by_switch;
  if (order == OrderChoice::in_turns) {
    return route_in_order(fabric, destinations_in_turns(fabric, switches), trees, stop).tables;
  }
  LoadBalancedTables grouped =
      route_in_order(fabric, destinations_by_switch(fabric, switches), trees, stop);
  if (order == OrderChoice::by_switch) return std::move(grouped.tables);
  LoadBalancedTables mixed =
      route_in_order(fabric, destinations_in_turns(fabric, switches), trees, stop);
  return std::move(mixed.shared_pairs < grouped.shared_pairs ? mixed.tables : grouped.tables);
}

}  // namespace pssp
