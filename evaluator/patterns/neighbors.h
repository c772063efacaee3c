#pragma once

// Nearest neighbours: the patterns `2neighbor`, `4neighbor` and `6neighbor` of the ORCS report
// (section 2.4), `neighbor:N` of ORCS for any number, and its two-dimensional grid.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription neighbor_pattern;
extern const PatternDescription two_neighbor_pattern;
extern const PatternDescription four_neighbor_pattern;
extern const PatternDescription six_neighbor_pattern;
extern const PatternDescription neighbor2d_pattern;

}  // namespace pssp
