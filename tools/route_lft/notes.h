#pragma once

// Notes of the engine in the JSON report.

#include <nlohmann/json.hpp>

#include "fabric/fabric.h"
#include "routing/engines/parts/selection/routing_notes.h"

namespace pssp {

/// Adds `warnings`, and for engines that select or infer `S`, `score`, `tried` and `inferred`;
/// omits empty ones.
void add_notes(nlohmann::ordered_json& json, const Fabric& fabric, const RoutingNotes& notes);

}  // namespace pssp
