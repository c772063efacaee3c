#pragma once

// Pattern `null` of the ORCS report (section 2.4): nobody sends. The quiet partner of ptrnvsptrn.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription null_pattern;

}  // namespace pssp
