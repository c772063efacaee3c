#pragma once

// What is allowed in a parameter set and yet hardly meant.

#include <string>
#include <vector>

#include "congestion/parameters.h"

namespace pssp {

/// A sentence for each oddity of a set that check() accepts: packets that are never marked, marks
/// that no adapter answers, throttling without effect or without congestion.
std::vector<std::string> remarks(const CongestionParameters& parameters);

}  // namespace pssp
