#pragma once

// Pattern `rand` of the ORCS report (section 2.4): every rank sends to one rank and receives from
// one, drawn anew in every run.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription rand_pattern;

}  // namespace pssp
