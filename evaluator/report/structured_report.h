#pragma once

// Structured traffic as text.

#include <string>
#include <vector>

#include "evaluator/scoring/structured_traffic.h"

namespace pssp {

/// "flows are striped over 4 LIDs of each host; the slowest part decides"
std::string describe_striping(const LidUse& use);

/// "S 1.25 (shifts 1.02, ...)", or why there is no such value.
std::string summary_line(const StructuredTraffic& traffic);

/// The table of one set of tables: one line per pattern, S, bandwidth and score.
std::string to_text(const StructuredTraffic& traffic);

/// Times of several sets of tables, one column each, named by `names`. All must have the same
/// hosts.
std::string to_text(const std::vector<std::string>& names,
                    const std::vector<StructuredTraffic>& traffic);

}  // namespace pssp
