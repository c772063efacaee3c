#pragma once

// A comparison of forwarding tables as JSON.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "evaluator/scoring/comparison.h"
#include "evaluator/scoring/structured_traffic.h"

namespace pssp {

/// An object; docs/reference/eval.md lists its members.
nlohmann::ordered_json to_json(const Comparison& comparison);

/// The whole output, indented by two, with a line end. `structured`: of all tables, or empty;
/// `warnings` are those of the readers.
std::string to_json_report(const Comparison& comparison,
                           std::span<const StructuredTraffic> structured,
                           const std::vector<std::string>& warnings);

}  // namespace pssp
