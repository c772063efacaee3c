#pragma once

// Patterns `recvs_all_src` and `recvs_one_src` of ORCS, which no report describes: some ranks
// receive, the others send to them or, by chance, to each other.

#include "evaluator/patterns/registry.h"

namespace pssp {

extern const PatternDescription recvs_all_src_pattern;
extern const PatternDescription recvs_one_src_pattern;

}  // namespace pssp
