#pragma once

// The agreement of several processes of a simulating program (evaluator/parallel/processes.h).

#include "base/digest.h"
#include "evaluator/parallel/processes.h"
#include "tools/simulation/simulation_input.h"

namespace pssp {

/// Must be called by all processes after reading their input: throws Error(unreadable_input), or
/// FailedElsewhere, if topologies, tables, traffic or options differ. `further`: other input of the
/// program's figures.
void require_same_simulation(Processes& processes, const SourceOptions& options,
                             const SimulationInput& input, const Model& model, Digest further);

}  // namespace pssp
