#pragma once

#include <string>

#include "tools/play_traffic/job_plan.h"
#include "tools/play_traffic/port_counters.h"

namespace pssp {

struct SimulatedTruth {
  std::string topology, engine;
  double seconds = 0;
};

/// truth.json: jobs, and for each active port its counters and the contribution of each job to its
/// sent bytes.
std::string truth_json(const SimulatedTruth& truth, const JobPlan& jobs, const Fabric& fabric,
                       const TrafficPlayer& player, const SimulatedCounters& counters);

}  // namespace pssp
