#pragma once

// Layout of trees by levels.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evaluator/pictures/map_layout.h"

namespace pssp {

/// None if the fabric has no levels; see lay_out_map().
std::optional<MapLayout> lay_out_levels(const Fabric& fabric, const std::vector<MapLine>& lines,
                                        const std::vector<std::string>& names, MapBox box);

}  // namespace pssp
