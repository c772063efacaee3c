#pragma once

// Patterns `gather` and `scatter` of the ORCS report (section 2.4): all to one and one to all.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription gather_pattern;
extern const PatternDescription scatter_pattern;

}  // namespace pssp
