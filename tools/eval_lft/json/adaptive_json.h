#pragma once

// Comparison with adaptive routing as JSON.

#include <string>
#include <vector>

#include "evaluator/report/adaptive_report.h"

namespace pssp {

/// docs/reference/eval.md has the members.
std::string to_json_report(const AdaptiveReport& report, const std::vector<std::string>& warnings);

}  // namespace pssp
