#pragma once

// The path of a packet through the forwarding tables, switch by switch, and where it ends.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluator/paths/node_directory.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// How the path ends.
enum class PathOutcome : std::uint8_t {
  arrives,
  source_not_cabled,       ///< the source's port has no live link to a switch
  destination_not_cabled,  ///< likewise the destination's; the path is not followed
  no_entry,                ///< the last switch has no entry for the LID
  dead_port,               ///< its entry leads to a port without a live link
  wrong_port,              ///< its entry leads to an end port, or to port 0, without that LID
  loop,                    ///< its entry leads back to an earlier switch of the path
};

/// A switch on the path.
struct PathStep {
  SwitchId at;
  PortNumber in_port = management_port;  ///< 0: the packet starts at this switch
  PortNumber out_port = no_port;         ///< the switch's entry for the LID
  ChannelId channel;                     ///< behind out_port; none if there is no switch
};

struct Path {
  PathEnd source, destination;
  PathOutcome outcome = PathOutcome::arrives;
  /// Empty if source and destination are one port: its adapter keeps the packet.
  std::vector<PathStep> steps;

  /// Number of switch-to-switch channels on the path.
  std::size_t hops() const noexcept;
};

/// Follows the tables from the switch of the source to the LID of the destination. LIDs beyond the
/// tables have no entry. O(length of the path + switches).
Path path_of(const Fabric& fabric, const ForwardingTables& tables, PathEnd source,
             PathEnd destination);

}  // namespace pssp
