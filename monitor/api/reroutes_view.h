#pragma once

// The JSON of /api/v1/reroutes.

#include <string>

#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

/// Newest first. Throws ApiError for invalid parameters.
std::string reroutes_view(const LiveView& view, const Target& target);

}  // namespace pssp
