#pragma once

#include "simulator/measure/run_record.h"
#include "simulator/network/network.h"
#include "simulator/run/simulation.h"

namespace pssp {

/// The parts of an Outcome that record and network contain; `now`: the end of the run.
Outcome outcome_of(const Traffic& traffic, const RunRecord& record, const Network& network,
                   SimulatedTime now);

}  // namespace pssp
