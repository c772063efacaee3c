#pragma once

// A whole search: what was read, what was tried, what came of it.

#include <cstdint>
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

  /// The set that a cell stands for.
  CongestionParameters set_of(const TuningCell& cell) const;
  /// What was chosen; that of `off` where nothing was.
  CongestionParameters chosen_set() const;
  /// At the roots of all traffics.
  std::vector<Hold> holds() const;
};

/// All but the search: what is wrong with files and options is said here. Throws Error.
Tuning read_tuning(const TuneOptions& options, const std::filesystem::path& program);

/// Where the program is interrupted, `result` is empty and `interrupted` says so; what was finished
/// is in the file of --resume, which the first process writes. Throws Error and FailedElsewhere.
void search_tuning(const TuneOptions& options, Processes& processes, Tuning& tuning);

}  // namespace pssp
