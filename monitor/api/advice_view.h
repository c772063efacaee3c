#pragma once

#include <string>

#include "monitor/api/advice_source.h"
#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

/// The answer of /api/v1/advice; with `engines` one is begun, unless `check_only`, with `channel`
/// (GUID:NUMBER) also about that. Throws ApiError: 404 without a source, 400 for engines and
/// channels, 429 where one is running.
std::string advice_view(const LiveView& view, const Target& target, AdviceSource* source,
                        bool check_only);

}  // namespace pssp
