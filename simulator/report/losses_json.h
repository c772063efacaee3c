#pragma once

#include <vector>

#include "base/json_text.h"
#include "simulator/report/losses.h"

namespace pssp {

/// In nanoseconds; null: never.
nlohmann::ordered_json in_ns(SimulatedTime time);

/// Times as above.
nlohmann::ordered_json losses_json(const LossCounts& losses);
nlohmann::ordered_json changes_json(const std::vector<ChangeSummary>& changes);

}  // namespace pssp
