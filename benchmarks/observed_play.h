#pragma once

// Played traffic as the monitor's analysis gets it: what was counted, and never the truth. For
// tests and benchmarks that link pssp_monitor_analysis.

#include <algorithm>
#include <utility>

#include "ibsim_harness/played_traffic.h"
#include "monitor/analysis/observed_traffic.h"

namespace pssp {

/// Fabric and tables must outlive it. O(what was played).
inline ObservedTraffic observe(const TrafficPlan& plan, const PlayedTraffic& played,
                               const Fabric& fabric, const ForwardingTables& tables) {
  ObservedTraffic observed;
  observed.fabric = &fabric;
  observed.tables = &tables;
  observed.sweeps = played.sweeps;
  observed.sent = played.sent;
  observed.received = played.received;
  observed.channels = played.channels;
  for (const PlayedJob& job : plan.jobs) {
    PlacedJob placed;
    placed.hosts = job.hosts;
    std::ranges::sort(placed.hosts);
    observed.jobs.push_back(std::move(placed));
  }
  return observed;
}

}  // namespace pssp
