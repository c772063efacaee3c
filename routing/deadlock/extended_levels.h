#pragma once

// Service levels for tables that differ little from earlier tables; unchanged routes keep their
// level.

#include <cstdint>
#include <optional>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"

namespace pssp {

/// Tables, and levels whose lanes have no credit loop, in the numbering of the fabric.
struct ProvedLevels {
  const ForwardingTables& tables;
  const ServiceLevels& levels;  ///< no_service_level for routes that did not exist
};

/// Levels in which each route that is the same in both tables keeps its level. Each other route
/// gets the first level that closes no credit loop: its earlier level, else the lowest from `first`
/// to `end` - 1. Returns none if a route finds no level, if the unchanged routes have a credit
/// loop, or when stopped. Routes are those of assign_lanes() with management ports. The caller must
/// prove the result with verify_lanes(). O(LIDs * switches * hops), plus
/// SortedChannels::move_before() for each new dependency.
std::optional<ServiceLevels> extend_levels(const Fabric& fabric, const ForwardingTables& tables,
                                           const ProvedLevels& earlier, unsigned first,
                                           unsigned end, const StopSignal& stop = {});

/// Upper bound of the memory of extend_levels() in bytes, without the graphs of the lanes.
std::uint64_t bytes_to_extend_levels(const Fabric& fabric);

}  // namespace pssp
