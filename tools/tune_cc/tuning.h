#pragma once

// A whole search: input, trials and result.

#include <string>
#include <vector>

#include "congestion/parameters.h"
#include "evaluator/parallel/processes.h"
#include "simulator/report/victims.h"
#include "simulator/tuning/search.h"
#include "simulator/tuning/starting_law.h"
#include "tools/simulation/simulation_input.h"
#include "tools/tune_cc/options.h"

namespace pssp {

struct Tuning {
  SimulationInput input;
  Model model;
  TrafficFile first_traffic;  ///< of the first source, with the first seed
  CongestionParameters base;
  ParameterSpace space;
  TuningPlan plan;
  TuningResult result;
  TrialTable trials;                               ///< known before the search, and after it
  std::vector<std::vector<CongestionRoot>> roots;  ///< by traffic, without congestion control
  std::vector<std::string> warnings;
  std::string identity;  ///< digests of fabric, tables and traffics
  bool interrupted = false;

  /// The set of a cell.
  CongestionParameters set_of(const TuningCell& cell) const;
  /// The chosen set; that of `off` if none was chosen.
  CongestionParameters chosen_set() const;
  /// At the roots of all traffics.
  std::vector<Hold> holds() const;
};

/// Prepares everything except the search, and reports errors in files and options. Throws Error.
Tuning read_tuning(const TuneOptions& options);

/// If the program is interrupted, `result` is empty and `interrupted` is set; finished trials are
/// in the file of --resume, which the first process writes. Throws Error and FailedElsewhere.
void search_tuning(const TuneOptions& options, Processes& processes, Tuning& tuning);

}  // namespace pssp
