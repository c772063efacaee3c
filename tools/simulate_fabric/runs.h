#pragma once

// All runs of a simulation.

#include <cstdint>
#include <memory>
#include <vector>

#include "evaluator/parallel/processes.h"
#include "simulator/report/run_summary.h"
#include "simulator/report/victims.h"
#include "tools/simulate_fabric/variants.h"
#include "tools/simulation/later_options.h"
#include "tools/simulation/simulation_input.h"

namespace pssp {

/// One variant with one seed.
struct SimulatedRun {
  bool began = false;  ///< false if the program was interrupted before
  Outcome outcome;
  RunSummary summary;
  std::vector<Victim> victims;
};

struct Simulation {
  SimulationInput input;
  std::unique_ptr<LaterInput> later;  ///< changes of the fabric; empty if there are none
  Model model;
  std::vector<Variant> variants;
  std::vector<std::uint64_t> seeds;
  std::vector<TrafficFile> traffic;             ///< by seed
  std::vector<std::vector<SimulatedRun>> runs;  ///< [variant][seed]
  bool interrupted = false;

  /// The initial state of runs.
  RoutedState first_state() const {
    return {input.tables.front().fabric, input.tables.front().tables};
  }
  const SimulatedTables& tables_of(const Variant& variant) const {
    return input.tables[variant.tables];
  }
  /// Whether variants are compared by the share of the link that flows with an end got, instead of
  /// the throughput: if all traffic ends.
  bool compares_flows() const;
  /// That figure for each seed of a variant.
  std::vector<double> figures(std::size_t variant) const;
};

/// Runs everything, until the program is interrupted. The result does not depend on the number of
/// threads and processes; only the first process has summaries and victims. Throws Error and
/// FailedElsewhere.
Simulation run_simulation(const SimulateOptions& options, SimulationInput input,
                          Processes& processes);

/// 0, or the code of an incomplete run: 130 interrupted, 7 deadlock or a limit.
int exit_code_of(const Simulation& simulation);

}  // namespace pssp
