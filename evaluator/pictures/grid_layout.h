#pragma once

// Layout of meshes and tori by coordinates.

#include <optional>
#include <vector>

#include "evaluator/pictures/map_layout.h"

namespace pssp {

/// None if the fabric is not one mesh or torus of at least two switches; see lay_out_map().
std::optional<MapLayout> lay_out_grid(const Fabric& fabric, const std::vector<MapLine>& lines,
                                      MapBox box);

}  // namespace pssp
