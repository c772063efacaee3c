#pragma once

#include <string>

#include "tools/play_traffic/job_plan.h"
#include "tools/play_traffic/port_counters.h"

namespace pssp {

struct SimulatedTruth {
  std::string topology, engine;
  double seconds = 0;
};

/// truth.json: jobs, and of each port that has counted anything what it stands at and how much of
/// what it sent was whose.
std::string truth_json(const SimulatedTruth& truth, const JobPlan& jobs, const Fabric& fabric,
                       const TrafficPlayer& player, const SimulatedCounters& counters);

}  // namespace pssp
