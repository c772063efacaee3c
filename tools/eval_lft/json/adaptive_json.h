#pragma once

// Adaptive routing beside tables, for scripts.

#include <string>
#include <vector>

#include "evaluator/report/adaptive_report.h"

namespace pssp {

/// docs/reference/eval_lft.md has the members.
std::string to_json_report(const AdaptiveReport& report, const std::vector<std::string>& warnings);

}  // namespace pssp
