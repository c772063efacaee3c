#pragma once

// The JSON of /api/v1/cabling.

#include <string>

#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

/// The most harmful statements come first. Throws ApiError if there is no plan, and for invalid
/// parameters.
std::string cabling_view(const LiveView& view, const Target& target);

}  // namespace pssp
