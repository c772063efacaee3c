#pragma once

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "simulator/model.h"
#include "simulator/network/network.h"

namespace pssp {

/// A network without packets, all credits at the senders. packet_bytes: of a full packet. Throws
/// Error(usage) when the values of the model do not fit together, Error(mismatch) when the tables
/// are of another fabric. O(switches * (LIDs + radix^2)).
Network build_network(const Fabric& fabric, const ForwardingTables& tables, const Model& model,
                      std::uint32_t packet_bytes);

}  // namespace pssp
