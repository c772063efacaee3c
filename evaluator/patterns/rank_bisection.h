#pragma once

// Patterns `bisect` and `bisect_fb_sym` of the ORCS report (section 2.4): neighbouring ranks are
// pairs. They become bisections through the random order of the hosts. (bisection.h draws those in
// one go, much faster.)

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription bisect_pattern;
extern const PatternDescription bisect_fb_sym_pattern;

}  // namespace pssp
