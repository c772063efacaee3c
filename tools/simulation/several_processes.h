#pragma once

// Programs that simulate, as one of several processes (evaluator/parallel/processes.h).

#include <memory>
#include <utility>

#include "base/digest.h"
#include "evaluator/parallel/processes.h"
#include "tools/simulation/simulation_input.h"

namespace pssp {

/// Called by all processes once they have read their input: throws Error(unreadable_input), or
/// FailedElsewhere, where topologies, tables, traffic or options differ. `further`: what else the
/// program's figures depend on.
void require_same_simulation(Processes& processes, const SourceOptions& options,
                             const SimulationInput& input, const Model& model, Digest further);

/// Runs a program as one of several processes, which join_launched() has found
/// (tools/launch/join.h): `run(processes)` gives its exit code. Only the first of them speaks, and
/// one that stops because another failed leaves the message to that.
template <class Run>
int run_in_processes(std::unique_ptr<Communicator> others, Run run);

/// Standard output of a process that is not the first goes nowhere. Throws Error(internal).
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
