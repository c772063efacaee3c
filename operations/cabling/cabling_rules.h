#pragma once

// What looks miscabled without any plan: whatever differs from its peers, where these agree.

#include <vector>

#include "fabric/fabric.h"
#include "fabric/nodes/node_rails.h"
#include "operations/cabling/cabling_statements.h"

namespace pssp {

/// Fellows agree where two thirds of them, and at least three, do:
/// - the rail of a leaf is that of its ports, of nodes with several adapters. Where nodes of one
/// kind
///   of name have a rail at leaves of that rail, one that has it at a leaf of another rail is said:
///   swapped, where another of its adapters is at a leaf of this rail, else wrong_rail;
/// - nodes of one kind of name and speed have as many adapters, at as many leaves, whatever the
///   adapters are called; and each rail has the same speed;
/// - leaves of one kind of name and as many ports have as many links to other switches; fewer are
///   said, with the ports that are empty;
/// - a link between switches is as fast as what is usual at the slower one of its ends.
/// The most harmful first. O(ports log ports).
std::vector<CablingStatement> check_cabling_rules(const Fabric& fabric, const NodeRails& nodes);

}  // namespace pssp
