#pragma once

// Cyclic shifts of the ranks, one of them or one after the other.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription shift_pattern;
extern const PatternDescription shifts_pattern;

}  // namespace pssp
