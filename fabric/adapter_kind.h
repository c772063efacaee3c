#pragma once

// What part an end port plays in the fabric, and which parts are endpoints of traffic: the rule of
// all programs and engines. Hosts are endpoints; SHARP aggregation nodes and routers are routed,
// but no endpoints unless a user asks for it. Port 0 of a switch (management) is no end port at
// all, and virtual ports (SR-IOV) are no ports of the topology (formats/virtual_ports.h).

#include <string_view>

#include "fabric/fabric.h"

namespace pssp {

/// Tells the SHARP adapters inside switches ("Mellanox Technologies Aggregation Node") from hosts
/// by their NodeDescription, which is all that they have in common; case, blanks and punctuation do
/// not matter. Routers are known by their node type, not by this function.
EndPortKind adapter_kind(std::string_view description);

/// Kinds of end ports that are endpoints of traffic besides hosts.
struct EndpointRoles {
  bool aggregation_nodes = false;
  bool routers = false;

  bool include(EndPortKind kind) const noexcept;
};

/// The roles by which a fabric was built, as far as it has end ports of these kinds: for copies of
/// it. O(endpoints).
EndpointRoles endpoint_roles(const Fabric& fabric) noexcept;

}  // namespace pssp
