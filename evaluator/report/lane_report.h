#pragma once

// Describes virtual lanes: how many the tables need, and whether an assignment of service levels
// keeps them deadlock-free (docs/explanation/deadlock.md).

#include <optional>
#include <string>

#include "evaluator/scoring/lane_proof.h"
#include "fabric/fabric.h"

namespace pssp {

/// "4 suffice", "2 or more; ...": the value of lanes_needed() (metrics/virtual_lanes.h) as text.
std::string describe_lanes(std::optional<unsigned> needed);

/// Several lines, each with a line end: verdict, one line per lane, and errors.
std::string to_text(const Fabric& fabric, const AssignedLanes& lanes);

}  // namespace pssp
