#pragma once

// The JSON of /api/v1/cabling.

#include <string>

#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

/// The most harmful first. Throws ApiError where there is no plan, and for parameters that cannot
/// be.
std::string cabling_view(const LiveView& view, const Target& target);

}  // namespace pssp
