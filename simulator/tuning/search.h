#pragma once

// The search for a set of parameters: halving over a Latin hypercube, refinement, a duel with fresh
// seeds, and the choice among those that the duel cannot tell apart.

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
  std::uint64_t seed = 1;       ///< of the hypercube; runs have it and the next ones
  std::size_t runs = 0;         ///< trials that may be asked for
  bool guard = false;           ///< see TuningResult::refused
  std::vector<TuningPoint> start;
  /// Whether the time that was granted is over, and the search should come to its end; may be
  /// empty. What it found depends on the machine then.
  std::function<bool()> is_late;
  /// Told the name of each part of the search; may be empty.
  std::function<void(std::string_view)> stage;
};

/// Runs below which no search is worth its name, for so many traffics.
std::size_t least_runs(std::size_t traffics);
/// Seeds of the search, with the first of which its time is measured.
std::vector<std::uint64_t> search_seeds(std::uint64_t seed);

/// A set in the duel; seeds are fresh, so nothing in these figures was chosen for being high.
struct Shortlisted {
  TuningCell cell;
  MeanEstimate score;
  MeanEstimate gain;        ///< of its score over that of off, seed by seed
  MeanEstimate from_best;   ///< of its score from that of the best
  MeanEstimate throughput;  ///< bytes/s, of all traffics by their weights
  double instability = 0;   ///< mean of TrialFigures::unrest
  double worst_part = 0, p99_ns = 0, victims_share = -1, hurt = 0;
  std::vector<MeanEstimate> gains;  ///< in each traffic
  bool equal = false;               ///< to the best: the interval of the difference has 0 in it
  std::string refused;              ///< by the guard, and why; empty: not
};

struct TuningResult {
  std::vector<Shortlisted> shortlist;  ///< the best score first; base among them, off not
  Shortlisted off;
  std::optional<std::size_t> chosen;  ///< of the shortlisted candidates; none: off
  std::string reason;                 ///< of the choice, a sentence
  std::vector<TuningCell> cells;      ///< all that were tried, in the order of their first trial
  std::vector<std::uint64_t> search_seeds, duel_seeds;
  std::size_t runs = 0;      ///< trials that were asked for
  bool cut_by_time = false;  ///< is_late() ended it
  bool decided = false;      ///< the duel told the best from all others
};

/// Throws Stopped, what the player of the trials throws, Error(usage) where `runs` are too few,
/// and Error(verification_failed) where the runs without congestion control come to a standstill.
TuningResult search_parameters(const TuningPlan& plan, const ParameterSpace& space, Trials& trials);

}  // namespace pssp
