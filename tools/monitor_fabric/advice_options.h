#pragma once

// From section [analysis] of the configuration to what advice takes.

#include <string>
#include <string_view>
#include <vector>

#include "monitor/analysis/advice.h"
#include "monitor/configuration/configuration.h"

namespace pssp {

/// Names with a comma between them, each once. Throws Error(usage) for engines that there are not,
/// and for none.
std::vector<std::string> engine_names(std::string_view text);

AdviceOptions advice_options(const AnalysisSettings& settings);

}  // namespace pssp
