#pragma once

// An assignment of service levels with the proof whether it keeps the tables deadlock-free
// (docs/explanation/deadlock.md).

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"
#include "routing/verify/lanes.h"

namespace pssp {

/// A given assignment of service levels, and its proof.
struct AssignedLanes {
  std::string name;  ///< of its file
  LaneReport report;
  std::vector<std::uint64_t> pairs;  ///< by lane: pairs_by_lane(), as long as report.lanes

  /// False if routes use lane 15, which carries no data.
  bool is_usable() const noexcept {
    return report.is_deadlock_free() && report.lanes <= max_data_lanes;
  }
};

/// Throws Error(mismatch) as verify_lanes() does.
AssignedLanes prove_lanes(std::string name, const Fabric& fabric, const ForwardingTables& tables,
                          const ServiceLevels& levels, const LaneVerifyOptions& options);

}  // namespace pssp
