#pragma once

// What the report for people says about virtual lanes: how many the tables need, and whether an
// assignment of service levels keeps them free of deadlocks (docs/explanation/deadlock.md).

#include <optional>
#include <string>

#include "evaluator/scoring/lane_proof.h"
#include "fabric/fabric.h"

namespace pssp {

/// "4 suffice", "2 or more; ...": the value of lanes_needed() (metrics/virtual_lanes.h) in words.
std::string describe_lanes(std::optional<unsigned> needed);

/// Several lines, each with its end: verdict, a line for each lane, and what is wrong.
std::string to_text(const Fabric& fabric, const AssignedLanes& lanes);

}  // namespace pssp
