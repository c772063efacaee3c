#pragma once

// What a duel says, and which set is taken.

#include <cstdint>
#include <string>
#include <vector>

#include "simulator/tuning/search.h"

namespace pssp {

/// Score of a cell with a seed: over the traffics by their weights.
double score_with(const TuningPlan& plan, const TrialTable& trials, const std::string& cell,
                  std::uint64_t seed);

/// Mean gain over off of the seeds that a cell was tried with, search and duel together.
double gain_of_table(const TuningPlan& plan, const TrialTable& table, const TuningResult& result,
                     const std::string& cell);

/// Fills shortlisted candidates, off and `decided` from the duel's seeds so far.
void set_shortlist(const TuningPlan& plan, const TrialTable& trials,
                   const std::vector<TuningCell>& cells, TuningResult& result);

/// Of the shortlisted candidates that are equal to the best and pass the guard the calmest, if it
/// gains anything for sure; otherwise off. Says why.
void choose(const TuningPlan& plan, TuningResult& result);

}  // namespace pssp
