#pragma once

// Service levels for tables that differ a little from earlier ones, such that unchanged routes keep
// theirs.

#include <cstdint>
#include <optional>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"

namespace pssp {

/// Tables and levels whose lanes have no credit loop, in the numbering of the fabric.
struct ProvedLevels {
  const ForwardingTables& tables;
  const ServiceLevels& levels;  ///< no_service_level for routes that were not there
};

/// Levels in which each route that is the same in both tables keeps its level. Each other route
/// gets the first level that closes no credit loop: its earlier one, else the lowest from `first`
/// to `end` - 1. None if some route finds no level, or if the unchanged routes have a credit loop.
/// None, too, if it is asked to stop. Routes are those of assign_lanes() with management ports.
/// verify_lanes() proves the result. O(LIDs * switches * hops), and the costs of
/// SortedChannels::move_before() for each new dependency.
std::optional<ServiceLevels> extend_levels(const Fabric& fabric, const ForwardingTables& tables,
                                           const ProvedLevels& earlier, unsigned first,
                                           unsigned end, const StopSignal& stop = {});

/// Bytes that extend_levels() needs at most, without the graphs of the lanes.
std::uint64_t bytes_to_extend_levels(const Fabric& fabric);

}  // namespace pssp
