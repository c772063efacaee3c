#pragma once

// Matches replaced hardware to its position in the baseline: a replaced switch, a cable moved to
// other ports, and inferred hardware that has appeared (docs/explanation/incremental-rerouting.md).

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The missing parts of the baseline fabric, and their successors.
struct Positions {
  /// By SwitchId of the baseline fabric: the GUID of the switch or of its successor.
  std::vector<Guid> holders;
  /// By SwitchId of the baseline fabric: from the port of a cable between switches in the baseline
  /// to the current port of the cable; omits unchanged ports. Injective.
  std::vector<std::map<PortNumber, PortNumber>> ports;
  /// By ChannelId of the current fabric: whether the baseline has the cable, at the same or other
  /// ports.
  std::vector<std::uint8_t> is_meant;

  PortNumber port_now(std::uint32_t s, PortNumber port) const;
};

/// The positions of a fabric without replaced hardware.
Positions own_positions(const Fabric& fabric);

/// A new switch takes the position of a missing switch if more than half of the neighbors of either
/// are common to both; pairs with the most common neighbors come first. A new cable takes the
/// position of a missing cable between the same positions. O(channels * cables of a switch).
Positions find_positions(const Fabric& meant, const Fabric& now);

/// Tables of the baseline fabric with current ports; rows keep the baseline's order. no_port where
/// the port now belongs to another cable. O(entries).
ForwardingTables with_ports_now(const Positions& positions, const ForwardingTables& tables);

}  // namespace pssp
