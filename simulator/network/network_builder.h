#pragma once

#include <cstdint>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "simulator/model.h"
#include "simulator/network/network.h"

namespace pssp {

/// Bytes of a packet that a switch needs for forwarding: the local route header, which contains the
/// LID.
inline constexpr std::uint32_t route_header_bytes = 8;

/// A network without packets; all credits are at the senders. packet_bytes: size of a full packet.
/// Throws Error(usage) if the model parameters are inconsistent, and Error(mismatch) if the tables
/// belong to another fabric. O(switches * (LIDs + radix^2)).
Network build_network(const Fabric& fabric, const ForwardingTables& tables, const Model& model,
                      std::uint32_t packet_bytes);

}  // namespace pssp
