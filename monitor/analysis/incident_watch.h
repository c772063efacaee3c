#pragma once

// Turns the verdicts of a sweep into incidents: faults by cable, congestion by cause.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "monitor/analysis/congestion_groups.h"
#include "monitor/analysis/running_job.h"
#include "monitor/analysis/verdict_watch.h"
#include "monitor/counters/incident.h"

namespace pssp {

using RunningJobList = std::shared_ptr<const std::vector<RunningJob>>;

/// The results of one sweep. References must outlive the call.
struct IncidentInput {
  const Snapshot& snapshot;
  const std::vector<PortDifference>& differences;  ///< of this sweep, by port
  const std::vector<StandingVerdict>& standing;
  RunningJobList jobs;       ///< never null; nodes are indices into the snapshot's map
  LiveTablesPointer tables;  ///< null if unknown or of another map
};

/// Remembers cables, so that a link that is down still has two ends.
class IncidentWatch {
 public:
  /// Takes the other ends of cables that an earlier process saw, by port. Must be called before the
  /// first sweep.
  void restore(const std::map<PortKey, IncidentPort>& peers) { partners_ = peers; }
  /// O(ports) when the map changes, else O(verdicts log verdicts). When map, tables or jobs are
  /// other objects than in the call before, also the cost of jobs_on_cable() for each fault. When
  /// links went down, also this cost for at most 64 of them.
  std::shared_ptr<const IncidentList> add(const IncidentInput& input);

 private:
  using CableEnds = std::pair<IncidentPort, std::optional<IncidentPort>>;
  using StatementEnds = std::map<std::string, CableEnds>;

  void remember_cables(const FabricMap& map);
  void remember_jobs(const IncidentInput& input);
  CableEnds ends_of(const FabricMap& map, const Verdict& verdict) const;
  StatementEnds statement_ends(const IncidentInput& input) const;
  const std::vector<std::string>& jobs_on(const IncidentInput& input, const Verdict& verdict);
  void watch_reach(const Snapshot& snapshot);
  bool is_unreached(const IncidentInput& input, const StandingVerdict& standing) const;
  std::vector<FabricFault> faults_of(const IncidentInput& input);

  std::shared_ptr<const FabricMap> map_;
  LiveTablesPointer tables_;
  RunningJobList jobs_;
  std::map<std::uint32_t, std::vector<std::string>> jobs_by_port_;  // for map_, tables_ and jobs_
  CongestionMemory congestion_;
  std::map<PortKey, IncidentPort> partners_;  // the last known other end of each port
  // jobs that used a link when it went down, by both its ports, while a verdict says that it is
  // down
  std::map<PortKey, std::vector<std::string>> jobs_before_down_;
  std::int64_t reached_ms_ = 0;             // time of the last sweep that reached the fabric
  std::optional<FabricFault> unreachable_;  // set while sweeps do not reach the fabric
};

}  // namespace pssp
