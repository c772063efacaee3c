#pragma once

// In which order the destinations of a fabric are routed. P-SSSP routes each destination on the
// loads that the destinations before it left behind, so the order decides a lot: on a fat tree of
// 528 hosts, .74 of the bandwidth against .64.
//
// The orders follow from the cabling. GUIDs and LIDs only decide between what the cabling does not
// tell apart.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// LIDs that lead to one switch and are routed one after the other.
struct DestinationGroup {
  SwitchId at;
  std::vector<Lid> lids;
};

/// All LIDs whose owner is cabled, each once.
struct DestinationOrder {
  /// LIDs of endpoints. With LMC > 0, the first LIDs of all endpoints come before all second ones,
  /// so that they are routed as if LMC were 0.
  std::vector<DestinationGroup> endpoints;
  /// LIDs of aggregation nodes and routers, then of switches: they follow the endpoints, so that
  /// nothing disturbs their balance.
  std::vector<DestinationGroup> others;
};

/// Switches with cabled end ports in an order in which consecutive switches are close: the next
/// switch is the nearest remaining one (fewest hops, then most shortest paths, then lowest
/// SwitchId), so that a pod of a fat tree is finished before the next one begins. The first switch
/// is one with the most endpoints; switches without end ports follow by SwitchId. O(switches with
/// end ports * channels).
std::vector<SwitchId> switches_by_proximity(const Fabric& fabric);

/// Destinations at one switch are consecutive, so that every other switch distributes them
/// round-robin over its links. Best on fat trees and other networks whose inner switches have no
/// endpoints.
DestinationOrder destinations_by_switch(const Fabric& fabric,
                                        const std::vector<SwitchId>& switches);

/// One destination of each switch, then another one of each. Best where all switches have
/// endpoints: meshes, tori, hypercubes, random graphs.
DestinationOrder destinations_round_robin(const Fabric& fabric,
                                          const std::vector<SwitchId>& switches);

/// True when at least half of the switches have endpoints (a direct network: mesh, torus,
/// hypercube, dragonfly ...).
bool is_direct_network(const Fabric& fabric);

}  // namespace pssp
