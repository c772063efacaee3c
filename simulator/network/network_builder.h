#pragma once

#include <cstdint>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "simulator/model.h"
#include "simulator/network/network.h"

namespace pssp {

/// Of a packet, with which a switch knows where it goes: the local route header, which has the LID.
inline constexpr std::uint32_t route_header_bytes = 8;

/// A network without packets, all credits at the senders. packet_bytes: of a full packet. Throws
/// Error(usage) when the values of the model do not fit together, Error(mismatch) when the tables
/// are of another fabric. O(switches * (LIDs + radix^2)).
Network build_network(const Fabric& fabric, const ForwardingTables& tables, const Model& model,
                      std::uint32_t packet_bytes);

}  // namespace pssp
