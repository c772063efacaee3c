#pragma once

// Tables of the tree that a damaged fabric was, brought to what is left of it (engine "heal").

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

/// What a tree lacks.
struct CompletedTree {
  std::vector<InferredLink> inferred;
  std::optional<Fabric> complete;  ///< the tree with these; none where nothing is missing
  /// preferred_switches() of the complete tree (tree_order.h): all tables follow their usable
  /// order. Empty: all minimal paths are allowed.
  std::vector<std::uint32_t> preferred = {};
  bool is_regular = false;  ///< with these: equally many links up from all switches of a node type
  /// Likewise: all hosts of one node type, equally many on each leaf and to each cable up from
  /// there; no cables within a level.
  bool is_even = false;
};

/// Throws Error(unsuitable_topology) as infer_links() does.
CompletedTree infer_complete_tree(const Fabric& fabric);
/// The same with these links taken for missing.
CompletedTree infer_complete_tree(const Fabric& fabric, std::vector<InferredLink> missing);

struct HealRouting {
  std::vector<InferredLink> inferred;
  ForwardingTables tables;
  std::optional<UpDownOrder> order;  ///< that all routes follow, if there is one
};

/// What routes the complete tree.
enum class HealBase : std::uint8_t { automatic, pssp, cassp, dmodk };
/// How it is routed.
struct HealPlan {
  HealBase base = HealBase::automatic;
  DmodkCount count = {};  ///< of base dmodk
};

/// Options of engine heal, and those of dmodk for that base. Throws Error(usage).
HealPlan plan_healing(const EngineOptions& options);

/// What the engine does. The fabric must have LIDs. Throws Error(unsuitable_topology) as
/// infer_links() does, Stopped when the request asks to stop. What the request accepts is not
/// asked.
HealRouting route_heal(const Fabric& fabric, const HealPlan& plan = {},
                       const RouteRequest& request = {});
/// The same of a tree that has been looked at.
HealRouting route_heal(const Fabric& fabric, const CompletedTree& tree, const HealPlan& plan,
                       const RouteRequest& request);

}  // namespace pssp
