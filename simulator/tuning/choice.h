#pragma once

// Evaluates a duel, and chooses a set.

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/tuning/search.h"

namespace pssp {

/// Score of a cell with a seed: the weighted mean over the traffics.
double score_with(const TuningPlan& plan, const TrialTable& trials, const std::string& cell,
                  std::uint64_t seed);

/// Mean gain over off for all seeds of a cell, in search and duel together.
double gain_of_table(const TuningPlan& plan, const TrialTable& table, const TuningResult& result,
                     const std::string& cell);

/// Fills shortlisted candidates, off and `decided` from the duel's seeds so far.
void set_shortlist(const TuningPlan& plan, const TrialTable& trials,
                   const std::vector<TuningCell>& cells, TuningResult& result);

/// Chooses the most stable of the shortlisted candidates that are equal to the best and pass the
/// guard, if it has a significant gain; otherwise off. Also gives the reason.
void choose(const TuningPlan& plan, TuningResult& result);

}  // namespace pssp
