#pragma once

// Results in OpenSM's switches: hop counts, linear forwarding tables, path counts. The caller holds
// OpenSM's lock.

#include "fabric/tables/forwarding_tables.h"
#include "osm_plugin/subnet_reader.h"

namespace pssp {

/// For each switch and each switch LID the distance by every port (1 + distance of the neighbour
/// behind it), and at port 0 the least of them: what multicast routing, the SA and the dumps of
/// OpenSM read. Throws Error(internal) when OpenSM does not accept an entry. O(switches * (switches
/// + channels)).
void write_hop_counts(const Subnet& subnet);

/// new_lft of all switches, and the number of paths a port that OpenSM dumps. O(switches * LIDs).
void write_forwarding_tables(const osm_subn_t& options, const Subnet& subnet,
                             const ForwardingTables& tables);

/// Takes back what the two functions above wrote, so that the next engine in OpenSM's list starts
/// from empty tables.
void reset_switches(const osm_subn_t& subnet);

}  // namespace pssp
