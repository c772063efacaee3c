#pragma once

// A change of forwarding tables as it was seen, and what it did to flows and jobs.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluator/rerouting/flow_changes.h"
#include "evaluator/rerouting/observed_states.h"
#include "monitor/discovery/live_tables.h"
#include "monitor/discovery/table_watch.h"

namespace pssp {

/// From one time at which all was calm to the next.
struct SeenReroute {
  LiveTablesPointer before, after;
  std::vector<ChangedBlock> changes;  ///< by time; a block may come more than once
  std::int64_t begin_ns = 0;          ///< when it began, by the clock of the changes
};

/// Changes of blocks by what is certain of their order: a step later is one that was still to come
/// when the first of a step was there. `after` says which switch of its fabric is meant; other
/// switches are left out. O(changes * 64).
std::vector<SeenStep> steps_of(std::span<const ChangedBlock> changes, const Fabric& after);

/// Where a job runs: GUIDs of ports of adapters.
struct JobPorts {
  std::string id;
  std::vector<Guid> ports;
};

/// Flows are one from each of its ports to each other one.
struct JobReroute {
  std::string id;
  FlowChanges flows;
};

struct RerouteImpact {
  std::uint64_t entries = 0, blocks = 0, switches = 0;  ///< that differ, before and after
  /// None where one of the two fabrics cannot be routed, or they are two fabrics; `problem` says
  /// why.
  std::optional<RouteChanges> routes;
  ObservedStates states;  ///< by step
  std::vector<std::int64_t> step_ns;
  std::vector<JobReroute> jobs;  ///< of which a flow is not the same, in the order given
  std::string problem;
};

/// O(LIDs * switches), and for each job hosts * switches.
RerouteImpact impact_of(const SeenReroute& reroute, std::span<const JobPorts> jobs = {});

}  // namespace pssp
