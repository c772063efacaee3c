#pragma once

// Structured traffic as JSON.

#include <nlohmann/json_fwd.hpp>

#include "evaluator/scoring/structured_traffic.h"

namespace pssp {

/// An object; docs/reference/eval.md lists its members.
nlohmann::ordered_json to_json(const StructuredTraffic& traffic);

}  // namespace pssp
