#pragma once

// The patterns of the registry, each defined in the file that the preceding comment names.

#include "evaluator/patterns/registry.h"

namespace pssp {

// all_to_all.cpp
extern const PatternDescription all_to_all_pattern;
extern const PatternDescription pairwise_pattern;
// binomial_tree.cpp
extern const PatternDescription tree_pattern;
// bit_permutations.cpp
extern const PatternDescription bit_reversal_pattern;
extern const PatternDescription complement_pattern;
extern const PatternDescription transpose_pattern;
// dissemination.cpp
extern const PatternDescription bruck_pattern;
extern const PatternDescription dissemination_pattern;
// gather_scatter.cpp
extern const PatternDescription gather_pattern;
extern const PatternDescription scatter_pattern;
// moe.cpp
extern const PatternDescription moe_pattern;
// neighbors.cpp
extern const PatternDescription neighbor_pattern;
extern const PatternDescription two_neighbor_pattern;
extern const PatternDescription four_neighbor_pattern;
extern const PatternDescription six_neighbor_pattern;
extern const PatternDescription neighbor2d_pattern;
// null_pattern.cpp
extern const PatternDescription null_pattern;
// random_permutation.cpp
extern const PatternDescription rand_pattern;
// rank_bisection.cpp
extern const PatternDescription bisect_pattern;
extern const PatternDescription bisect_fb_sym_pattern;
// receivers.cpp
extern const PatternDescription recvs_all_src_pattern;
extern const PatternDescription recvs_one_src_pattern;
// recursive_doubling.cpp
extern const PatternDescription recdbl_pattern;
// ring.cpp
extern const PatternDescription ring_pattern;
extern const PatternDescription pipeline_pattern;
// shift.cpp
extern const PatternDescription shift_pattern;
extern const PatternDescription shifts_pattern;
// stencil.cpp
extern const PatternDescription stencil_pattern;
// tornado.cpp
extern const PatternDescription tornado_pattern;
// two_patterns.cpp
extern const PatternDescription ptrnvsptrn_pattern;

}  // namespace pssp
