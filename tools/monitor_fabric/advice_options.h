#pragma once

// Converts section [analysis] of the configuration to the options of advice.

#include <string>
#include <string_view>
#include <vector>

#include "monitor/analysis/advice.h"
#include "monitor/configuration/configuration.h"

namespace pssp {

/// Names separated by commas, distinct. Throws Error(usage) for unknown engines and for an empty
/// list.
std::vector<std::string> engine_names(std::string_view text);

AdviceOptions advice_options(const AnalysisSettings& settings);

}  // namespace pssp
