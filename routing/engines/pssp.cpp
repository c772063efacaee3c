// P-SSSP: one single-destination shortest-path run per destination LID on the current edge loads,
// tables filled in reverse, loads updated between the runs (slides 14-17: "finds paths with minimal
// edge-load l(e); updates routing tables in reverse, essentially SDSP; updates l(e) between runs").
//
// The run. Routes are hop-minimal unless a detour is allowed, so for one destination only channels
// that lead one hop nearer to it matter: they form a directed acyclic graph. All destinations
// behind one switch share it, so it is built once a switch. Taking switches nearest first, the
// cheapest way out of each is one comparison per channel; no heap is needed. Going back farthest
// first, the number of endpoints behind each switch gives what the tree adds to the load of each
// channel.
//
// With a bound on detours the run is Dijkstra's algorithm on the loads; a switch may take a way of
// d more hops than its distance if d is within the bound. A switch always finds one: its
// hop-minimal neighbour's way is itself within the bound.
//
// Departures from the slides:
// - The load of a channel counts relative to its capacity, so that a link of half the speed gets
// half the routes.
// - Only routes between endpoints load a channel. LIDs of aggregation nodes, routers and switches
// are routed last.
// - The order of destinations comes from the topology (destination_order.h), not from the
// numbering.

#include "routing/engines/pssp.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <queue>
#include <tuple>
#include <vector>

#include "routing/engines/destination_order.h"
#include "routing/engines/hop_distances.h"
#include "routing/support/error.h"

namespace pssp {
namespace {

constexpr std::uint32_t no_channel = std::numeric_limits<std::uint32_t>::max();

/// A power of two, so that adding and subtracting it is exact; less than one route's share even of
/// the fastest link.
constexpr double sibling_weight = 1.0 / 1024;

/// The tree towards the current destination: per switch the channel that its packets leave by.
struct Tree {
  std::vector<std::uint32_t>
      out;  // ChannelId by SwitchId; no_channel at the root and on other islands
  std::vector<std::uint32_t>
      order;  // switches of the tree, each behind the one that it forwards to; the root first
};

/// Hop-minimal trees: the channels that lead nearer to one switch, and the cheapest choice among
/// them.
class MinimalTrees {
 public:
  explicit MinimalTrees(const Fabric& fabric)
      : fabric_(fabric), distances_(fabric), cost_(fabric.switch_count()) {
    tree_.out.assign(fabric.switch_count(), no_channel);
  }

  void set_root(SwitchId root) {
    for (const std::uint32_t s : tree_.order) tree_.out[s] = no_channel;
    distances_.search(root);
    tree_.order.assign(distances_.order().begin(), distances_.order().end());
    first_candidate_.assign(1, 0);
    candidates_.clear();
    const auto first = fabric_.first_channel();
    const auto head = fabric_.channel_head();
    const auto distance = distances_.distance();
    for (const std::uint32_t s : tree_.order) {
      for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
        if (distance[head[c]] < distance[s]) candidates_.push_back({c, head[c]});
      }
      first_candidate_.push_back(static_cast<std::uint32_t>(candidates_.size()));
    }
  }

  const Tree& search(const std::vector<double>& load) {
    cost_[tree_.order.front()] = 0;
    for (std::size_t i = 1; i < tree_.order.size(); ++i) {
      const std::uint32_t s = tree_.order[i];
      double best = std::numeric_limits<double>::infinity();
      std::uint32_t out = no_channel;
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
  HopDistances distances_;
  std::vector<double> cost_;
  std::vector<std::uint32_t> first_candidate_;  // by position in the order
  std::vector<Candidate> candidates_;
  Tree tree_;
};

/// Trees whose ways are at most `max_detour` hops longer than the shortest.
class DetourTrees {
 public:
  DetourTrees(const Fabric& fabric, std::uint32_t max_detour)
      : fabric_(fabric),
        max_detour_(max_detour),
        distances_(fabric),
        cost_(fabric.switch_count()),
        hops_(fabric.switch_count()),
        settled_(fabric.switch_count(), 0) {
    tree_.out.assign(fabric.switch_count(), no_channel);
  }

  void set_root(SwitchId root) {
    root_ = root;
    distances_.search(root);
  }

  const Tree& search(const std::vector<double>& load) {
    for (const std::uint32_t s : tree_.order) tree_.out[s] = no_channel;
    tree_.order.clear();
    for (const std::uint32_t s : distances_.order())
      cost_[s] = std::numeric_limits<double>::infinity();
    cost_[root_.value()] = 0;
    hops_[root_.value()] = 0;
    frontier_.push({0, 0, root_.value()});
    while (!frontier_.empty()) {
      const Reached reached = frontier_.top();
      frontier_.pop();
      if (settled_[reached.at] != run_) settle(reached, load);
    }
    ++run_;
    return tree_;
  }

 private:
  struct Reached {
    double cost;
    std::uint32_t hops;
    std::uint32_t at;
    // Cheapest first; fewer hops, then the lower number, so that the order of equals is fixed.
    bool operator>(const Reached& other) const {
      return std::tie(cost, hops, at) > std::tie(other.cost, other.hops, other.at);
    }
  };

  void settle(const Reached& reached, const std::vector<double>& load) {
    settled_[reached.at] = run_;
    tree_.order.push_back(reached.at);
    const auto first = fabric_.first_channel();
    for (std::uint32_t c = first[reached.at]; c < first[reached.at + 1]; ++c) {
      const std::uint32_t from = fabric_.channel_head()[c];
      const std::uint32_t inward = fabric_.channel_reverse()[c];
      const double cost = reached.cost + load[inward];
      const std::uint32_t hops = reached.hops + 1;
      if (settled_[from] == run_ || hops > distances_.distance()[from] + max_detour_) continue;
      if (cost > cost_[from] || (cost == cost_[from] && hops >= hops_[from])) continue;
      cost_[from] = cost;
      hops_[from] = hops;
      tree_.out[from] = inward;
      frontier_.push({cost, hops, from});
    }
  }

  const Fabric& fabric_;
  std::uint32_t max_detour_;
  HopDistances distances_;
  SwitchId root_;
  std::vector<double> cost_;
  std::vector<std::uint32_t> hops_;
  std::vector<std::uint32_t> settled_;  // number of the run that settled the switch
  std::uint32_t run_ = 1;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> frontier_;
  Tree tree_;
};

/// Enters the tree into the tables and adds its routes to the loads.
class TreeRecorder {
 public:
  explicit TreeRecorder(const Fabric& fabric)
      : load(fabric.channel_count(), 0.0), fabric_(fabric), endpoints_(fabric.switch_count()) {}

  void record(const Tree& tree, Lid lid, ForwardingTables& tables) {
    const auto per_switch = fabric_.endpoints_per_switch();
    for (const std::uint32_t s : tree.order) endpoints_[s] = per_switch[s];
    for (std::size_t i = tree.order.size() - 1; i > 0; --i) {
      const std::uint32_t s = tree.order[i];
      const std::uint32_t out = tree.out[s];
      tables.set(SwitchId(s), lid, fabric_.channel_out_port()[out]);
      load[out] += endpoints_[s] * fabric_.channel_cost()[out];
      endpoints_[fabric_.channel_head()[out]] += endpoints_[s];
    }
    const Delivery delivery = fabric_.delivery(lid);
    tables.set(delivery.at, lid, delivery.port);
  }

  /// Adds `weight` to the loads of the channels that the tables use for the LIDs of the same port
  /// before `lid`. A weight too small to count against a route makes the search prefer another way
  /// where the loads leave the choice: several LIDs a port are there to give it several ways.
  void lean_against_siblings(Lid lid, const ForwardingTables& tables, double weight) {
    const LidOwner owner = fabric_.owner(lid);
    const Lid base = owner.kind == LidOwner::Kind::end_port
                         ? fabric_.end_port(EndPortId(owner.index)).lid
                         : fabric_.switch_at(SwitchId(owner.index)).lid;
    for (Lid sibling = base; sibling < lid; ++sibling) {
      for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
        const PortTarget target = fabric_.behind(SwitchId(s), tables.at(SwitchId(s), sibling));
        if (target.kind == PortTarget::Kind::channel) load[target.index] += weight;
      }
    }
  }

  std::vector<double> load;  ///< by ChannelId, relative to the capacity

 private:
  const Fabric& fabric_;
  std::vector<std::uint32_t> endpoints_;  // behind each switch of the tree
};

/// Tables, and the sum over the channels of the squared load: the number of pairs of routes that
/// share a channel, which tells better than the largest load how much they hurt each other.
struct Candidate {
  ForwardingTables tables;
  double shared_pairs = 0;
};

template <class Trees>
Candidate route_in_order(const Fabric& fabric, const DestinationOrder& order, Trees& trees) {
  Candidate candidate{.tables = ForwardingTables(fabric.switch_count(), fabric.max_lid())};
  TreeRecorder recorder(fabric);
  const auto route = [&](const std::vector<DestinationGroup>& groups) {
    for (const DestinationGroup& group : groups) {
      trees.set_root(group.at);
      for (const Lid lid : group.lids) {
        recorder.lean_against_siblings(lid, candidate.tables, sibling_weight);
        const Tree& tree = trees.search(recorder.load);
        recorder.lean_against_siblings(lid, candidate.tables, -sibling_weight);
        recorder.record(tree, lid, candidate.tables);
      }
    }
  };
  route(order.endpoints);
  for (const double load : recorder.load) candidate.shared_pairs += load * load;
  route(order.others);
  return candidate;
}

enum class Order : std::uint8_t { best, by_switch, in_turns };

template <class Trees>
ForwardingTables route_with(const Fabric& fabric, Order order, Trees trees) {
  const std::vector<SwitchId> switches = switches_by_proximity(fabric);
  if (order == Order::best && !is_direct_network(fabric)) order = Order::by_switch;
  if (order == Order::in_turns) {
    return route_in_order(fabric, destinations_in_turns(fabric, switches), trees).tables;
  }
  Candidate candidate = route_in_order(fabric, destinations_by_switch(fabric, switches), trees);
  if (order == Order::by_switch) return std::move(candidate.tables);
  Candidate other = route_in_order(fabric, destinations_in_turns(fabric, switches), trees);
  return std::move(other.shared_pairs < candidate.shared_pairs ? other.tables : candidate.tables);
}

constexpr std::string_view engine_name = "pssp";
constexpr std::array engine_options{
    OptionDescription{"max_detour", "0 .. 15", "0",
                      "hops that a route may be longer than the shortest between its ends"},
    OptionDescription{
        "order", "best | by_switch | in_turns", "best",
        "order of destinations; best: by_switch on indirect networks, else the better of both"}};

class PsspEngine : public RoutingEngine {
 public:
  explicit PsspEngine(const EngineOptions& options)
      : max_detour_(
            static_cast<std::uint32_t>(options.number(engine_name, "max_detour", 0, 0, 15))),
        order_(static_cast<Order>(
            options.choice(engine_name, "order", {"best", "by_switch", "in_turns"}))) {}

 private:
  Routing compute(const Fabric& fabric) const override {
    if (max_detour_ == 0) return {route_with(fabric, order_, MinimalTrees(fabric))};
    return {route_with(fabric, order_, DetourTrees(fabric, max_detour_))};
  }

  std::uint32_t max_detour_;
  Order order_;
};

}  // namespace

constinit const EngineDescription pssp_engine{
    engine_name, "P-SSSP: one shortest-path run per destination on the loads so far",
    engine_options, [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<PsspEngine>(options);
    }};

}  // namespace pssp
