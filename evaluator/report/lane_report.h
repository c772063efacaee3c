#pragma once

// What the reports say about virtual lanes: how many the tables need, and whether an assignment of
// service levels keeps them free of deadlocks (docs/deadlock.md).

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"
#include "routing/verify/lanes.h"

namespace pssp {

/// An assignment of service levels, as it was given, and the proof of it.
struct AssignedLanes {
  std::string name;  ///< of its file
  LaneReport report;
  std::vector<std::uint64_t> pairs;  ///< by lane: pairs_by_lane(), as long as report.lanes

  /// Also false where routes are on lane 15, which carries no data.
  bool is_usable() const noexcept {
    return report.is_deadlock_free() && report.lanes <= max_data_lanes;
  }
};

/// Throws Error(mismatch) as verify_lanes().
AssignedLanes prove_lanes(std::string name, const Fabric& fabric, const ForwardingTables& tables,
                          const ServiceLevels& levels, const LaneVerifyOptions& options);

/// "4 suffice", "2 or more; ...": the value of lanes_needed() (metrics/virtual_lanes.h) in words.
std::string describe_lanes(std::optional<unsigned> needed);

/// Several lines, each with its end: verdict, a line for each lane, and what is wrong.
std::string to_text(const Fabric& fabric, const AssignedLanes& lanes);

/// An object; docs/eval_lft.md lists its members.
nlohmann::ordered_json to_json(const Fabric& fabric, const AssignedLanes& lanes);

}  // namespace pssp
