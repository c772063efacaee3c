#pragma once

// Pattern `bruck` of the ORCS report (section 2.4, figure 1), which the Cluster 2008 paper calls
// dissemination (section 5.1, figure 6): as for a barrier, or an all-to-all of small messages.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription bruck_pattern;
extern const PatternDescription dissemination_pattern;

}  // namespace pssp
