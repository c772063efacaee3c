#pragma once

// Everybody sends to everybody else: at once, or in rounds of pairs (`pairwise exchange` of the
// Cluster 2008 paper, section 5.1).

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription all_to_all_pattern;
extern const PatternDescription pairwise_pattern;

}  // namespace pssp
