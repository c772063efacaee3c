#pragma once

// Tables with one tree per destination LID, each the cheapest with the loads of the previous trees:
// the common part of engines that differ in the permitted paths.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/counts/destination_order.h"
#include "routing/engines/parts/counts/shared_pairs_bound.h"
#include "routing/engines/parts/trees/root_paths.h"
#include "routing/engines/parts/trees/tree_chooser.h"
#include "routing/engines/parts/trees/tree_columns.h"
#include "routing/engines/parts/trees/tree_loads.h"

namespace pssp {

/// Shortest trees: the channels that lead nearer to one switch, and the cheapest choice among them.
/// `Distances` is HopDistances or UpDownDistances. For one destination, the channels that lead one
/// hop nearer form a directed acyclic graph. All destinations at one switch share it, so it is
/// built once per switch, and stored up to a memory limit.
template <class Distances>
class ShortestTrees {
 public:
  static constexpr std::size_t default_bytes = std::size_t{128} << 20;

  ShortestTrees(const Fabric& fabric, Distances distances, std::size_t bytes = default_bytes)
      : fabric_(fabric),
        distances_(std::move(distances)),
        chooser_(fabric),
        bytes_left_(bytes),
        kept_(fabric.switch_count()) {
    for (const double cost : fabric.channel_cost()) dearest_ = std::max(dearest_, cost);
  }

  /// O(switches + channels) the first time, afterwards mostly O(1).
  void set_root(SwitchId root) {
    root_ = root.value();
    std::optional<RootPaths>& kept = kept_[root_];
    if (kept) {
      paths_ = &*kept;
      return;
    }
    distances_.search(root);
    latest_ = gather_root_paths(fabric_, distances_);
    paths_ = &latest_;
    if (latest_.bytes() > bytes_left_) return;
    bytes_left_ -= latest_.bytes();
    paths_ = &kept.emplace(std::move(latest_));
  }

  /// Writes the cheapest tree towards the root to `column`, which must be filled with no_path.
  /// O(switches + channels).
  void choose(TreeLoads& loads, std::span<std::uint8_t> column) {
    loads.make_room(static_cast<double>(fabric_.endpoints().size()) * paths_->hops * dearest_);
    chooser_.choose(root_, *paths_, loads, column);
  }

  /// Adds the routes of the tree that was chosen last.
  void add_routes(std::span<const std::uint8_t> column, TreeLoads& loads) {
    chooser_.add_routes(*paths_, column, loads);
  }

 private:
  const Fabric& fabric_;
  Distances distances_;
  TreeChooser chooser_;
  double dearest_ = 0;
  std::size_t bytes_left_;
  std::vector<std::optional<RootPaths>> kept_;  // by SwitchId
  RootPaths latest_;
  std::uint32_t root_ = 0;
  const RootPaths* paths_ = nullptr;
};

/// Routes destinations one after the other. `Trees` has set_root(), choose() and add_routes(), like
/// ShortestTrees. The tree of an additional LID of a port avoids the channels of the port's earlier
/// LIDs, by a weight smaller than that of a route, so that it only decides between paths with equal
/// loads.
class TreeRouter {
 public:
  /// `limit`: see TreeLoads.
  explicit TreeRouter(const Fabric& fabric, double limit = TreeLoads::default_limit)
      : fabric_(fabric), columns_(fabric), loads_(fabric, limit) {}

  /// Throws Stopped.
  template <class Trees>
  void route(const std::vector<DestinationGroup>& groups, Trees& trees, const StopSignal& stop) {
    for (const DestinationGroup& group : groups) {
      stop.check("routing by trees", group, groups);
      trees.set_root(group.at);
      for (const Lid lid : group.lids) {
        const std::span<std::uint8_t> column = columns_.add(lid);
        lean_against_siblings(lid, sibling_weight);
        trees.choose(loads_, column);
        lean_against_siblings(lid, -sibling_weight);
        trees.add_routes(column, loads_);
      }
    }
  }

  /// A better measure of contention than the largest load.
  double shared_pairs() const { return loads_.shared_pairs(); }
  ForwardingTables tables() const { return columns_.to_tables(); }

 private:
  /// A power of two, so that adding and subtracting it is exact; less than one route's share even
  /// of the fastest link.
  static constexpr double sibling_weight = TreeLoads::step;

  void lean_against_siblings(Lid lid, double weight);

  const Fabric& fabric_;
  TreeColumns columns_;
  TreeLoads loads_;
};

/// The order in which destinations are routed (destination_order.h). best: by_switch on indirect
/// networks, else the order with fewer shared pairs.
enum class OrderChoice : std::uint8_t { best, by_switch, round_robin };

/// Only routes between endpoints count for the choice; the other LIDs are routed last.
/// `switches`: see switches_by_proximity(). `management_trees`: trees for the other LIDs. Throws
/// Stopped.
template <class Trees, class ManagementTrees>
ForwardingTables route_by_trees(const Fabric& fabric, const std::vector<SwitchId>& switches,
                                OrderChoice order, Trees& trees, ManagementTrees& management_trees,
                                const StopSignal& stop = {}) {
  if (order == OrderChoice::best && !is_direct_network(fabric)) order = OrderChoice::by_switch;
  DestinationOrder destinations = order == OrderChoice::round_robin
                                      ? destinations_round_robin(fabric, switches)
                                      : destinations_by_switch(fabric, switches);
  auto router = std::make_unique<TreeRouter>(fabric);
  router->route(destinations.endpoints, trees, stop);
  // Useless if the first order reaches the lower bound.
  if (order == OrderChoice::best &&
      router->shared_pairs() > static_cast<double>(least_shared_pairs(fabric))) {
    DestinationOrder round_robin = destinations_round_robin(fabric, switches);
    auto other = std::make_unique<TreeRouter>(fabric);
    other->route(round_robin.endpoints, trees, stop);
    if (other->shared_pairs() < router->shared_pairs()) {
      router = std::move(other);
      destinations = std::move(round_robin);
    }
  }
  router->route(destinations.others, management_trees, stop);
  return router->tables();
}

}  // namespace pssp
