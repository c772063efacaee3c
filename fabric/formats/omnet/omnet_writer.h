#pragma once

// Writes networks and forwarding tables for the InfiniBand model of OMNeT++, in the format of the
// scripts of the thesis "Exploring InfiniBand Congestion Control In Mesh Topologies" (sections 3.3
// to 3.5, appendix A).

#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The network in NED. Hosts are the endpoints of traffic, in the natural order of their names,
/// which is the order of the LIDs in the tables; end ports without a cable are omitted. The model
/// permits no port without a cable, so only cabled ports of a switch are numbered, from 0; without
/// gaps, port p becomes port p - 1. A name that the thesis' configuration would not find (it
/// searches for H** and SW**) or that is no NED identifier gets the prefix "H_" or "SW_", and '_'
/// for other characters. O(ports).
std::string to_omnet_ned(const Fabric& fabric);

/// The tables of the network of to_omnet_ned(). Rows have the numbers in the names of switches, if
/// there are such (11 for SW11), else they count from 0 in the order of the network. Contains only
/// the base LID of each host, and no LIDs of switches. Entries to omitted nodes are written as no
/// route. O(switches * hosts).
std::string to_omnet_fdbs(const Fabric& fabric, const ForwardingTables& tables);

}  // namespace pssp
