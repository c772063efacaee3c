#pragma once

// Shares simulations among several processes.

#include <span>
#include <vector>

#include "base/digest.h"
#include "evaluator/parallel/processes.h"
#include "tools/simulate_application/answer/answer.h"

namespace pssp {

/// Must be called by all processes: returns the times of all of them, in order of their ranks, in
/// every process. Excludes names of tables, seeds and crossbars.
std::vector<TablesTime> gather_times(std::vector<TablesTime> own, const Processes& processes);

/// Must be called by all processes before the simulation: require_agreement() on topology, tables,
/// groups of ports, application and options.
void require_same_question(Processes& processes, const ApplicationQuestion& question,
                           std::span<const NamedTables> inputs, const Digest& groups,
                           const ApplicationReport& report);

}  // namespace pssp
