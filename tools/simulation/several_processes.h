#pragma once

// Runs simulating programs as one of several processes (evaluator/parallel/processes.h).

#include <memory>
#include <utility>

#include "base/digest.h"
#include "evaluator/parallel/processes.h"
#include "tools/simulation/simulation_input.h"

namespace pssp {

/// Must be called by all processes after reading their input: throws Error(unreadable_input), or
/// FailedElsewhere, if topologies, tables, traffic or options differ. `further`: other input of the
/// program's figures.
void require_same_simulation(Processes& processes, const SourceOptions& options,
                             const SimulationInput& input, const Model& model, Digest further);

/// Runs a program as one of several processes, which join_launched() has found
/// (tools/launch/join.h): `run(processes)` returns its exit code. Only the first process prints,
/// and a process that stops because another failed prints no message.
template <class Run>
int run_in_processes(std::unique_ptr<Communicator> others, Run run);

/// Discards the standard output of processes other than the first. Throws Error(internal).
void silence_unless_first(const Processes& processes);

template <class Run>
int run_in_processes(std::unique_ptr<Communicator> others, Run run) {
  Processes processes(std::move(others));
  silence_unless_first(processes);
  try {
    return run(processes);
  } catch (const FailedElsewhere&) {
    return 0;
  }
}

}  // namespace pssp
