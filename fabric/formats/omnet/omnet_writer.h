#pragma once

// Writer of networks and forwarding tables for the InfiniBand model of OMNeT++, as the scripts of
// the thesis "Exploring InfiniBand Congestion Control In Mesh Topologies" write them (sections 3.3
// to 3.5, appendix A).

#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The network in NED. Hosts are the endpoints of traffic, in the natural order of their names,
/// which is the order of the LIDs in the tables; end ports without a cable are left out. The model
/// allows no port without a cable, so the ports of a switch are numbered from 0 on as far as they
/// have one; without gaps port p is port p - 1. A name that the thesis' configuration would not
/// find (it looks for H** and SW**) or that is no NED identifier gets "H_" or "SW_" in front and
/// '_' for what is not allowed. O(ports).
std::string to_omnet_ned(const Fabric& fabric);

/// The tables of the network that to_omnet_ned() writes. Rows are numbered as the switches are
/// named where that are numbers (11 for SW11), else from 0 on in the order of the network. Only the
/// base LID of each host is in it, and no LID of a switch. An entry for what is not in the network
/// is written as no route. O(switches * hosts).
std::string to_omnet_fdbs(const Fabric& fabric, const ForwardingTables& tables);

}  // namespace pssp
