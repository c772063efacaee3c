// P-SSSP: one single-destination shortest-path run per destination LID on the current edge loads,
// tables filled in reverse, loads updated between the runs (slides 14-17: "finds paths with minimal
// edge-load l(e); updates routing tables in reverse, essentially SDSP; updates l(e) between runs").
//
// Routes are minimal unless extra hops are allowed, so for one destination only channels that lead
// one hop nearer to it matter (least_loaded_trees.h). With extra hops, each run is Dijkstra's
// algorithm on the loads, restricted to paths within the limit of extra hops. Every switch has such
// a path: over a neighbor one hop nearer, whose path is within the limit.
//
// Differences from the slides:
// - Loads are relative to the capacity of a channel, so that a link of half the speed gets half the
// routes.
// - Only routes between endpoints load a channel. LIDs of aggregation nodes, routers and switches
// are routed last.
// - On complete trees, routes to switches follow the up*/down* order that all minimal routes
// between hosts follow, so one virtual lane is enough (tree_order.h).
// - The order of destinations comes from the topology (destination_order.h), not from the
// numbering.

#include "routing/engines/pssp.h"

#include <array>
#include <limits>
#include <optional>
#include <queue>
#include <span>
#include <tuple>
#include <vector>

#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_distances.h"
#include "routing/engines/parts/counts/destination_order.h"
#include "routing/engines/parts/trees/least_loaded_trees.h"
#include "routing/engines/parts/trees/tree_order.h"

namespace pssp {
namespace {

/// Trees whose paths are at most `max_extra_hops` hops longer than the shortest.
class NonminimalTrees {
 public:
  NonminimalTrees(const Fabric& fabric, std::uint32_t max_extra_hops)
      : fabric_(fabric),
        max_extra_hops_(max_extra_hops),
        distances_(fabric),
        cost_(fabric.switch_count()),
        hops_(fabric.switch_count()),
        settled_(fabric.switch_count(), 0) {
    endpoints_.resize(fabric.switch_count());
    out_.resize(fabric.switch_count());
  }

  void set_root(SwitchId root) {
    root_ = root;
    distances_.search(root);
  }

  void choose(TreeLoads& loads, std::span<std::uint8_t> column) {
    loads.unmark();
    order_.clear();
    for (const std::uint32_t s : distances_.order())
      cost_[s] = std::numeric_limits<double>::infinity();
    cost_[root_.value()] = 0;
    hops_[root_.value()] = 0;
    frontier_.push({0, 0, root_.value()});
    while (!frontier_.empty()) {
      const Reached reached = frontier_.top();
      frontier_.pop();
      if (settled_[reached.at] != run_) settle(reached, loads.values());
    }
    ++run_;
    for (const std::uint32_t s : std::span(order_).subspan(1)) {
      column[s] = static_cast<std::uint8_t>(out_[s] - fabric_.first_channel()[s]);
    }
  }

  void add_routes(std::span<const std::uint8_t> /*column*/, TreeLoads& loads) {
    for (const std::uint32_t s : order_) endpoints_[s] = fabric_.endpoints_per_switch()[s];
    for (std::size_t i = order_.size() - 1; i > 0; --i) {
      const std::uint32_t s = order_[i];
      loads.values()[out_[s]] += endpoints_[s] * fabric_.channel_cost()[out_[s]];
      endpoints_[fabric_.channel_head()[out_[s]]] += endpoints_[s];
    }
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
    order_.push_back(reached.at);
    const auto first = fabric_.first_channel();
    for (std::uint32_t c = first[reached.at]; c < first[reached.at + 1]; ++c) {
      const std::uint32_t from = fabric_.channel_head()[c];
      const std::uint32_t inward = fabric_.channel_reverse()[c];
      const double cost = reached.cost + load[inward];
      const std::uint32_t hops = reached.hops + 1;
      if (settled_[from] == run_ || hops > distances_.distance()[from] + max_extra_hops_) continue;
      if (cost > cost_[from] || (cost == cost_[from] && hops >= hops_[from])) continue;
      cost_[from] = cost;
      hops_[from] = hops;
      out_[from] = inward;
      frontier_.push({cost, hops, from});
    }
  }

  const Fabric& fabric_;
  std::uint32_t max_extra_hops_;
  HopDistances distances_;
  SwitchId root_;
  std::vector<double> cost_;
  std::vector<std::uint32_t> hops_;
  std::vector<std::uint32_t> settled_;  // number of the run that settled the switch
  std::uint32_t run_ = 1;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> frontier_;
  // Of the tree that was chosen last.
  std::vector<std::uint32_t> order_;      // switches, each behind the one that it forwards to
  std::vector<std::uint32_t> out_;        // channel, by SwitchId
  std::vector<std::uint32_t> endpoints_;  // that send through the switch, by SwitchId
};

constexpr std::string_view pssp_name = "pssp";
struct PsspOptions {
  std::uint32_t max_extra_hops = 0;
  OrderChoice order = OrderChoice::best;
};
constexpr std::array<std::string_view, 3> order_text{"best", "by_switch", "round_robin"};
constexpr std::array pssp_lines{
    number_option<&PsspOptions::max_extra_hops>(
        "max_extra_hops", 0, 15, "hops by which a route may exceed the minimal hop count"),
    choice_option<&PsspOptions::order>(
        "order", order_text,
        "order of destinations; best: by_switch on indirect networks, else the better of the two")};
constexpr OptionTable<PsspOptions> pssp_table{pssp_lines};

class PsspEngine : public RoutingEngine {
 public:
  explicit PsspEngine(const EngineOptions& options)
      : options_(options.read(pssp_name, pssp_table)) {}

 private:
  Routing compute(const Fabric& fabric, const RouteRequest& request) const override {
    const std::vector<SwitchId> switches = switches_by_proximity(fabric);
    if (options_.max_extra_hops == 0) {
      ShortestTrees trees(fabric, HopDistances(fabric));
      if (const std::optional<UpDownOrder> order = order_of_complete_tree(fabric)) {
        ShortestTrees management_trees(fabric, UpDownDistances(fabric, *order));
        return {route_by_trees(fabric, switches, options_.order, trees, management_trees,
                               request.stop)};
      }
      return {route_by_trees(fabric, switches, options_.order, trees, trees, request.stop)};
    }
    NonminimalTrees trees(fabric, options_.max_extra_hops);
    return {route_by_trees(fabric, switches, options_.order, trees, trees, request.stop)};
  }

  PsspOptions options_;
};

}  // namespace

constinit const EngineDescription pssp_engine{
    pssp_name, "P-SSSP: one shortest-path run per destination on the current loads",
    [] { return pssp_table.describe(); },
    [](const EngineOptions& options) -> std::unique_ptr<RoutingEngine> {
      return std::make_unique<PsspEngine>(options);
    }};

}  // namespace pssp
