#pragma once

// An observed change of forwarding tables, and its effect on flows and jobs.

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

/// The changes between two times at which the tables were stable.
struct SeenReroute {
  LiveTablesPointer before, after;
  std::vector<ChangedBlock> changes;  ///< by time; a block may occur more than once
  std::int64_t begin_ns = 0;          ///< start of the changes, by the same clock as their times
};

/// Divides changes of blocks into steps whose order is certain: a change belongs to a later step if
/// it had not happened yet when the first change of the step was seen. `after` maps nodes to
/// switches; switches that it lacks are left out. O(changes * 64).
std::vector<SeenStep> steps_of(std::span<const ChangedBlock> changes, const Fabric& after);

/// The hosts of a job: GUIDs of ports of adapters.
struct JobPorts {
  std::string id;
  std::vector<Guid> ports;
};

/// There is one flow from each port of the job to each other port.
struct JobReroute {
  std::string id;
  FlowChanges flows;
};

struct RerouteImpact {
  std::uint64_t entries = 0, blocks = 0, switches = 0;  ///< that differ before and after
  /// Unset if one of the fabrics cannot be routed, or if they are different fabrics; `problem` has
  /// the reason.
  std::optional<RouteChanges> routes;
  ObservedStates states;  ///< by step
  std::vector<std::int64_t> step_ns;
  std::vector<JobReroute> jobs;  ///< jobs with at least one changed flow, in the given order
  std::string problem;
};

/// O(LIDs * switches), and O(hosts * switches) for each job.
RerouteImpact impact_of(const SeenReroute& reroute, std::span<const JobPorts> jobs = {});

}  // namespace pssp
