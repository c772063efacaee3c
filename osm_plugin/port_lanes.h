#pragma once

// Virtual lanes of OpenSM's ports: how many there are, and the tables by which they are chosen and
// served. The caller holds OpenSM's lock.

#include <opensm/osm_config.h>
// osm_config.h comes first: it decides the layout of the structures in the others.
#include <opensm/osm_port.h>
#include <opensm/osm_subnet.h>

#include "osm_plugin/lane_plan.h"
#include "osm_plugin/subnet_reader.h"

namespace pssp {

/// Counts the lanes of the links between switches; links of adapters carry any lane to or from a
/// single port, and their SL2VL tables fold what they do not have. O(channels).
///
/// OpenSM writes SL2VL tables after routing, cut down to the lanes that are operational by then,
/// and only afterwards sets the operational lanes: to the smaller VLCap of both ends, and to
/// max_op_vls at most. So a lane counts when a port has it before and after.
LaneSupply count_lanes(const osm_subn_t& opensm, const Subnet& subnet);

/// SL n to lane n, and levels that the port has no lane for to those that it has, from 0 on.
void write_sl2vl(const osm_subn_t& opensm, const osm_physp_t& port, ib_slvl_table_t& table);

/// One block of a VL arbitration table. OpenSM's default serves lane 0 before all others; where it
/// was not changed, all lanes of the port get the same weight. `entries`: 1 .. 32 of the block;
/// `number`: 0 and 1 are the low-priority table, 2 and 3 the high-priority one.
void even_out_arbitration(const osm_subn_t& opensm, const osm_physp_t& port, unsigned entries,
                          unsigned number, ib_vl_arb_table_t& block);

}  // namespace pssp
