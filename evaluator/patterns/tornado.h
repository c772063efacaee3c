#pragma once

// Pattern `tornado` of Dally and Towles, "Principles and Practices of Interconnection Networks"
// (2004), section 3.2: the worst case of shortest-path routing in rings and tori.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription tornado_pattern;

}  // namespace pssp
