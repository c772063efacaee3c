#pragma once

// The permutations of Dally and Towles, "Principles and Practices of Interconnection Networks"
// (2004), section 3.2, that move or flip the bits of a rank.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription bit_reversal_pattern;
extern const PatternDescription complement_pattern;
extern const PatternDescription transpose_pattern;

}  // namespace pssp
