#pragma once

// Explains a parameter set as text and JSON.

#include <nlohmann/json.hpp>
#include <string>

#include "congestion/parameters.h"

namespace pssp {

/// Every parameter with its unit and effect, then each entry of the table as delay and rate, with
/// the rounding error if the table comes from a law. The set must have passed check().
std::string explanation_text(const CongestionParameters& parameters);

/// The same as JSON; times in nanoseconds, delays in packet times.
nlohmann::ordered_json explanation_json(const CongestionParameters& parameters);

}  // namespace pssp
