#pragma once

// Pattern `ptrnvsptrn` of the ORCS report (sections 2.4 and 2.5): two patterns at the same time on
// two parts of the communicator, to see what the second does to the first.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription ptrnvsptrn_pattern;

}  // namespace pssp
