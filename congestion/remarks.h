#pragma once

// Warns of valid parameters that are probably mistakes.

#include <string>
#include <vector>

#include "congestion/parameters.h"

namespace pssp {

/// A sentence for each suspicious property of a valid set: packets that are never marked, marks
/// without reaction of an adapter, throttling without effect or without congestion.
std::vector<std::string> remarks(const CongestionParameters& parameters);

}  // namespace pssp
