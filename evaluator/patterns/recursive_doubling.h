#pragma once

// Pattern `recdbl` of the ORCS report (section 2.4, figure 2): recursive doubling, as for a
// reduction to all.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription recdbl_pattern;

}  // namespace pssp
