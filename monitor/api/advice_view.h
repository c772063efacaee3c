#pragma once

#include <string>

#include "monitor/api/advice_source.h"
#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

/// The response of /api/v1/advice. With `engines`, a computation is started unless `check_only`;
/// `channel` (GUID:NUMBER) is examined, too. Throws ApiError: 404 without a source, 400 for invalid
/// engines or channels, 429 if a computation is running.
std::string advice_view(const LiveView& view, const Target& target, AdviceSource* source,
                        bool check_only);

}  // namespace pssp
