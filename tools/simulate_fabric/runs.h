#pragma once

// All runs of a question, side by side.

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
  bool began = false;  ///< false where the program was interrupted before
  Outcome outcome;
  RunSummary summary;
  std::vector<Victim> victims;
};

struct Simulation {
  SimulationInput input;
  std::unique_ptr<LaterInput> later;  ///< changes of the fabric; has none where it stays
  Model model;
  std::vector<Variant> variants;
  std::vector<std::uint64_t> seeds;
  std::vector<TrafficFile> traffic;             ///< by seed
  std::vector<std::vector<SimulatedRun>> runs;  ///< [variant][seed]
  bool interrupted = false;

  /// With which runs begin.
  RoutedState first_state() const {
    return {input.tables.front().fabric, input.tables.front().tables};
  }
  const SimulatedTables& tables_of(const Variant& variant) const {
    return input.tables[variant.tables];
  }
  /// Whether the figure that variants are compared by is the share of the link that flows with an
  /// end got, and not the throughput: where all that is sent ends.
  bool compares_flows() const;
  /// That figure of each seed of a variant.
  std::vector<double> figures(std::size_t variant) const;
};

/// Runs everything, until the program is interrupted. The same Simulation at any number of threads
/// and processes; summaries and victims are in the first process alone. Throws Error and
/// FailedElsewhere.
Simulation run_simulation(const SimulateOptions& options, SimulationInput input,
                          Processes& processes);

/// 0, or what says that a run did not come to its end: 130 interrupted, 7 deadlock or a limit.
int exit_code_of(const Simulation& simulation);

}  // namespace pssp
