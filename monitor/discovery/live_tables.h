#pragma once

// The forwarding tables that the switches of a fabric really have.

#include <cstdint>
#include <memory>
#include <vector>

#include "fabric/tables/forwarding_tables.h"
#include "monitor/counters/fabric_map.h"

namespace pssp {

struct LiveTables {
  std::shared_ptr<const FabricMap> map;
  std::int64_t time_ms = 0;  ///< when reading ended, since 1970
  /// By index in map->nodes, 64 entries a block from LID 0 on, up to the switch's own top; empty
  /// of adapters and of switches that did not answer.
  std::vector<std::vector<PortNumber>> by_node;
  std::uint32_t switches = 0, unread_switches = 0;
  std::uint32_t changed_switches = 0, changed_blocks = 0;  ///< against the reading before
  std::uint32_t directed_reads = 0;  ///< blocks that only a directed route could read
  std::uint64_t hash = 0;            ///< of all entries: equal tables have equal ones

  /// For routing and evaluation; map->fabric must not be null. Switches that were not read have no
  /// entries.
  ForwardingTables tables() const;
};

using LiveTablesPointer = std::shared_ptr<const LiveTables>;

}  // namespace pssp
