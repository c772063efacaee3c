#pragma once

// Engine "heal": routes the complete tree of a damaged fabric, and repairs these tables.

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/paths/up_down_order.h"
#include "routing/engines/engine.h"
#include "routing/trees/dmodk_tables.h"
#include "routing/trees/inferred_links.h"

namespace pssp {

/// Options and derivation: see docs/reference/engines/heal.md.
extern const EngineDescription heal_engine;

/// A tree and its missing links.
struct CompletedTree {
  std::vector<InferredLink> inferred;
  std::optional<Fabric> complete;  ///< the tree with the inferred links; none if there are none
  /// preferred_switches() of the complete tree (tree_order.h): all tables follow their usable
  /// order. Empty: all minimal paths are allowed.
  std::vector<std::uint32_t> preferred = {};
  /// In the complete tree, all switches of a level with the same number of ports have equally many
  /// uplinks.
  bool is_regular = false;
  /// In the complete tree, all hosts have one node type, all leaves have equally many hosts, a
  /// multiple of their uplinks, and no cables join switches of one level.
  bool is_even = false;
};

/// Throws Error(unsuitable_topology) as infer_links() does.
CompletedTree infer_complete_tree(const Fabric& fabric);
/// The same with the given missing links.
CompletedTree infer_complete_tree(const Fabric& fabric, std::vector<InferredLink> missing);

struct HealRouting {
  std::vector<InferredLink> inferred;
  ForwardingTables tables;
  std::optional<UpDownOrder> order;  ///< the order that all routes follow, if there is one
};

/// The engine that routes the complete tree.
enum class HealBase : std::uint8_t { automatic, pssp, cassp, dmodk };
struct HealPlan {
  HealBase base = HealBase::automatic;
  DmodkCount count = {};  ///< of base dmodk
};

/// Options of engine heal, and those of dmodk for that base. Throws Error(usage).
HealPlan plan_healing(const EngineOptions& options);

/// Computes the tables of the engine. The fabric must have LIDs. Ignores `accept` of the request.
/// Throws Stopped, and Error(unsuitable_topology) as infer_links() does.
HealRouting route_heal(const Fabric& fabric, const HealPlan& plan = {},
                       const RouteRequest& request = {});
/// The same if the complete tree is known.
HealRouting route_heal(const Fabric& fabric, const CompletedTree& tree, const HealPlan& plan,
                       const RouteRequest& request);

}  // namespace pssp
