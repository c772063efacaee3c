#pragma once

// Simulated traffic in the form that the analysis of the monitor gets: the counters, but not the
// true traffic of each job. For tests and benchmarks that link pssp_monitor_analysis.

#include <algorithm>
#include <utility>

#include "ibsim_harness/simulated_traffic.h"
#include "monitor/analysis/observed_traffic.h"

namespace pssp {

/// Fabric and tables must outlive the result. O(size of `simulated`).
inline ObservedTraffic observe(const TrafficPlan& plan, const SimulatedTraffic& simulated,
                               const Fabric& fabric, const ForwardingTables& tables) {
  ObservedTraffic observed;
  observed.fabric = &fabric;
  observed.tables = &tables;
  observed.sweeps = simulated.sweeps;
  observed.sent = simulated.sent;
  observed.received = simulated.received;
  observed.channels = simulated.channels;
  for (const SimulatedJob& job : plan.jobs) {
    PlacedJob placed;
    placed.hosts = job.hosts;
    std::ranges::sort(placed.hosts);
    observed.jobs.push_back(std::move(placed));
  }
  return observed;
}

}  // namespace pssp
