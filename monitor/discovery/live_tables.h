#pragma once

// The forwarding tables in the switches of a fabric.

#include <cstdint>
#include <memory>
#include <vector>

#include "fabric/tables/forwarding_tables.h"
#include "monitor/counters/fabric_map.h"

namespace pssp {

struct LiveTables {
  std::shared_ptr<const FabricMap> map;
  std::int64_t time_ms = 0;  ///< end of the reading, since 1970
  /// By index in map->nodes; 64 entries per block from LID 0 to the top of the switch; empty for
  /// adapters and for switches that did not answer.
  std::vector<std::vector<PortNumber>> by_node;
  std::uint32_t switches = 0, unread_switches = 0;
  std::uint32_t changed_switches = 0, changed_blocks = 0;  ///< relative to the previous reading
  std::uint32_t directed_reads = 0;  ///< blocks that could be read only along a directed route
  std::uint64_t hash = 0;            ///< of all entries: equal tables have equal hashes

  /// For routing and evaluation; map->fabric must not be null. Switches that were not read have no
  /// entries.
  ForwardingTables tables() const;
};

using LiveTablesPointer = std::shared_ptr<const LiveTables>;

}  // namespace pssp
