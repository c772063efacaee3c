#pragma once

// Searches for a parameter set: halving over a Latin hypercube, refinement, a duel with new seeds,
// and the choice among sets that the duel cannot distinguish.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/measure/batch_means.h"
#include "simulator/tuning/objective.h"
#include "simulator/tuning/parameter_space.h"
#include "simulator/tuning/trials.h"

namespace pssp {

struct TuningPlan {
  TuningObjective objective;
  std::vector<double> weights;  ///< of the traffics, above 0
  std::uint64_t seed = 1;       ///< of the hypercube; runs use this and the following seeds
  std::size_t runs = 0;         ///< number of trials permitted
  bool guard = false;           ///< see TuningResult::refused
  std::vector<TuningPoint> start;
  /// Whether the time limit has passed and the search should end; may be empty. The result then
  /// depends on the machine.
  std::function<bool()> is_late;
  /// Called with the name of each part of the search; may be empty.
  std::function<void(std::string_view)> stage;
};

/// The smallest useful number of runs for this many traffics.
std::size_t least_runs(std::size_t traffics);
/// Seeds of the search; the first one also serves for measuring its time.
std::vector<std::uint64_t> search_seeds(std::uint64_t seed);

/// A set in the duel; its figures are unbiased, because the duel uses new seeds.
struct Shortlisted {
  TuningCell cell;
  MeanEstimate score;
  MeanEstimate gain;        ///< score relative to off, seed by seed
  MeanEstimate from_best;   ///< score minus that of the best
  MeanEstimate throughput;  ///< bytes/s, weighted over all traffics
  double instability = 0;   ///< mean of TrialFigures::unrest
  double worst_part = 0, p99_ns = 0, victims_share = -1, hurt = 0;
  std::vector<MeanEstimate> gains;  ///< by traffic
  bool equal = false;               ///< to the best: the interval of the difference contains 0
  std::string refused;              ///< why the guard rejects it; empty: it does not
};

struct TuningResult {
  std::vector<Shortlisted> shortlist;  ///< best score first; contains base, not off
  Shortlisted off;
  std::optional<std::size_t> chosen;  ///< index in the shortlist; none: off
  std::string reason;                 ///< for the choice, a sentence
  std::vector<TuningCell> cells;      ///< all cells in the order of their first trial
  std::vector<std::uint64_t> search_seeds, duel_seeds;
  std::size_t runs = 0;      ///< number of trials
  bool cut_by_time = false;  ///< ended by is_late()
  bool decided = false;      ///< the duel distinguishes the best from all others
};

/// Throws Stopped, the errors of the player, Error(usage) if `runs` is too small, and
/// Error(verification_failed) if the runs without congestion control deadlock.
TuningResult search_parameters(const TuningPlan& plan, const ParameterSpace& space, Trials& trials);

}  // namespace pssp
