#pragma once

#include "tools/plan_pairs/options.h"

namespace pssp {

/// Returns the exit code. Throws Error.
int plan_pairs(const PairPlanOptions& options);

}  // namespace pssp
