#pragma once

// Finds likely cabling errors without a plan: differences from peers that agree.

#include <vector>

#include "fabric/fabric.h"
#include "fabric/nodes/node_rails.h"
#include "operations/cabling/cabling_statements.h"

namespace pssp {

/// Peers agree if two thirds of them, and at least three, have the same value:
/// - the rail of a leaf is that of its ports, for nodes with several adapters. If nodes with names
///   of one kind have a rail at leaves of that rail, a node that has it at a leaf of another rail
///   is reported: swapped if another of its adapters is at a leaf of this rail, else wrong_rail;
/// - nodes with names of one kind and equal speed have the same number of adapters, at the same
///   number of leaves, regardless of the adapters' names; and each rail has the same speed;
/// - leaves with names of one kind and equal numbers of ports have the same number of links to
///   other switches; fewer are reported, with the empty ports;
/// - a link between switches has the usual speed of the slower of its ends.
/// The most harmful statements come first. O(ports log ports).
std::vector<CablingStatement> check_cabling_rules(const Fabric& fabric, const NodeRails& nodes);

}  // namespace pssp
