#pragma once

// The proof of an assignment of service levels as JSON.

#include <nlohmann/json_fwd.hpp>

#include "evaluator/scoring/lane_proof.h"
#include "fabric/fabric.h"

namespace pssp {

/// An object; docs/reference/eval.md lists its members.
nlohmann::ordered_json to_json(const Fabric& fabric, const AssignedLanes& lanes);

}  // namespace pssp
