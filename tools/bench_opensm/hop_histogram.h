#pragma once

#include <string_view>
#include <vector>

#include "tools/bench_opensm/measurements.h"

namespace pssp {

/// The distribution of hops in a report of eval_lft; the caller sets the names.
std::vector<HopRecord> hop_histogram(std::string_view report);

}  // namespace pssp
