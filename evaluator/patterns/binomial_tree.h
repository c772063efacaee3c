#pragma once

// Pattern `tree` of the ORCS report (section 2.4, figure 6): a binomial tree, as for a broadcast of
// small messages.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription tree_pattern;

}  // namespace pssp
