#pragma once

// Tables of the tree that a damaged fabric was, brought to what is left of it (engine "heal").

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/paths/up_down_order.h"
#include "routing/engines/engine.h"
#include "routing/trees/dmodk_tables.h"
#include "routing/trees/imagined_links.h"

namespace pssp {

/// Options and derivation: see docs/engines/heal.md.
extern const EngineDescription heal_engine;

/// What a tree lacks.
struct TreeWithHoles {
  std::vector<ImaginedLink> imagined;
  bool is_regular = false;  ///< with these: equally many links up from all switches of a kind
  /// Likewise: all hosts of one kind, equally many on each leaf and to each cable up from there; no
  /// cables within a level.
  bool is_even = false;
};

/// Throws Error(unsuitable_topology) as imagine_links() does.
TreeWithHoles look_at_tree(const Fabric& fabric);

struct HealedRouting {
  std::vector<ImaginedLink> imagined;
  ForwardingTables tables;
  /// Where links were imagined, or the base is dmodk: the order by which all routes are legal;
  /// without one, they are legal by rank (rank_distances.h) as far as can be.
  std::optional<UpDownOrder> order;
};

/// What routes the complete tree.
enum class HealBase : std::uint8_t { automatic, pssp, cassp, dmodk };

/// What the engine does. The fabric must have LIDs. Throws Error(unsuitable_topology) as
/// imagine_links() does, Error(usage) on wrong options, Stopped when the request asks to stop. What
/// the request accepts is not asked.
HealedRouting route_healed(const Fabric& fabric, const EngineOptions& options = {},
                           const RouteRequest& request = {});
/// The same from one base, without options.
HealedRouting route_healed(const Fabric& fabric, HealBase base, const RouteRequest& request = {});
/// What is imagined where it is missing.
enum class Imagine : std::uint8_t { links_and_switches, links };
/// The same from dmodk, its destinations counted so.
HealedRouting route_healed(const Fabric& fabric, const DmodkCount& count,
                           const RouteRequest& request = {},
                           Imagine imagine = Imagine::links_and_switches);

}  // namespace pssp
