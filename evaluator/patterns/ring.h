#pragma once

// A message that is passed on from rank to rank: `ring` of the ORCS report (section 2.4), and
// `pipeline` of the Cluster 2008 paper (section 5.1), which passes it on in segments.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription ring_pattern;
extern const PatternDescription pipeline_pattern;

}  // namespace pssp
