#pragma once

// What the engine says besides the tables, in the JSON report.

#include <nlohmann/json.hpp>

#include "fabric/fabric.h"
#include "routing/engines/parts/selection/routing_notes.h"

namespace pssp {

/// Adds `warnings`, and of engines that choose or infer `S`, `score`, `tried` and `inferred`; none
/// of them where there is nothing to say.
void add_notes(nlohmann::ordered_json& json, const Fabric& fabric, const RoutingNotes& notes);

}  // namespace pssp
