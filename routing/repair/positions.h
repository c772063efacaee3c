#pragma once

// Who takes whose place in a fabric: a switch that was replaced by another, a cable that was put
// into other ports, and what the baseline only infers until it is there
// (docs/explanation/incremental-rerouting.md).

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// What of the fabric that is meant is missing now, and who came in its stead.
struct Positions {
  /// By SwitchId of the fabric that is meant, the GUID that has its place: its own, or that of its
  /// successor.
  std::vector<Guid> holders;
  /// By SwitchId of it, from a port that a cable to another switch has in the baseline to the one
  /// that the cable has now; others stay. No two ports become one.
  std::vector<std::map<PortNumber, PortNumber>> ports;
  /// By ChannelId of the fabric as it is: a cable that is meant, at its ports or at others.
  std::vector<std::uint8_t> is_meant;

  PortNumber port_now(std::uint32_t s, PortNumber port) const;
};

/// Everybody has his own place.
Positions own_positions(const Fabric& fabric);

/// A switch that is new takes the place of one that is missing where more than half of the switches
/// that either is cabled to are the other's, too; most in common first. A cable that is new takes
/// the place of a missing one between the same two places. O(channels * cables of a switch).
Positions find_positions(const Fabric& meant, const Fabric& now);

/// Tables of the fabric that is meant, for those who have its places now: rows in its order, ports
/// as they are now; no_port where a port now belongs to another cable. O(entries).
ForwardingTables with_ports_now(const Positions& positions, const ForwardingTables& tables);

}  // namespace pssp
