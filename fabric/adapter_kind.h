#pragma once

// The kinds of end ports, and which kinds are endpoints of traffic, for all programs and engines.
// Hosts are endpoints; SHARP aggregation nodes and routers are routed, but are endpoints only on
// request. Port 0 of a switch (management) is not an end port, and virtual ports (SR-IOV) are not
// ports of the topology (formats/virtual_ports.h).

#include <string_view>

#include "fabric/fabric.h"

namespace pssp {

/// Distinguishes the SHARP adapters inside switches ("Mellanox Technologies Aggregation Node") from
/// hosts by their NodeDescription, their only common property; ignores case, blanks and
/// punctuation. Routers are recognized by their node type instead.
EndPortKind adapter_kind(std::string_view description);

/// Kinds of end ports that are endpoints of traffic besides hosts.
struct EndpointRoles {
  bool aggregation_nodes = false;
  bool routers = false;

  bool include(EndPortKind kind) const noexcept;
};

/// The roles with which a fabric was built, restricted to kinds that it contains, for building
/// copies. O(endpoints).
EndpointRoles endpoint_roles(const Fabric& fabric) noexcept;

}  // namespace pssp
