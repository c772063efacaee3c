#pragma once

// Answers that several processes work on.

#include <span>
#include <vector>

#include "base/digest.h"
#include "evaluator/parallel/processes.h"
#include "tools/simulate_application/answer/answer.h"

namespace pssp {

/// Called by all processes: the times of all of them, in order of their ranks, in every process.
/// Names of tables, seeds and crossbars are left out.
std::vector<TablesTime> gather_times(std::vector<TablesTime> own, const Processes& processes);

/// Called by all processes before anything is simulated: require_agreement() on topology, tables,
/// groups of ports, application and options.
void require_same_question(Processes& processes, const ApplicationQuestion& question,
                           std::span<const NamedTables> inputs, const Digest& groups,
                           const ApplicationReport& report);

}  // namespace pssp
