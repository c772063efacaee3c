#pragma once

// Incidents of a running daemon: what IncidentWatch needs, from one sweep to the next.

#include <map>
#include <memory>
#include <vector>

#include "fabric/nodes/node_name_rule.h"
#include "monitor/analysis/incident_watch.h"
#include "monitor/jobs/job_report.h"

namespace pssp {

/// Belongs to the fabric's thread.
class LiveIncidents {
 public:
  /// `rule`: from names of nodes to names that the scheduler uses.
  explicit LiveIncidents(NodeNameRule rule) : rule_(std::move(rule)) {}

  /// See IncidentWatch::restore().
  void restore(const std::map<PortKey, IncidentPort>& peers) { watch_.restore(peers); }
  /// From the next sweep on.
  void set_tables(LiveTablesPointer tables) { tables_ = std::move(tables); }
  /// The next sweep. `jobs` may be null. Null before the second sweep. O(ports).
  std::shared_ptr<const IncidentList> add(const SnapshotPointer& snapshot,
                                          const std::vector<StandingVerdict>& standing,
                                          const JobReportPointer& jobs);

 private:
  void place_jobs(const SnapshotPointer& snapshot, const JobReportPointer& report);

  NodeNameRule rule_;
  LiveTablesPointer tables_;
  SnapshotPointer before_;
  JobReportPointer report_;
  RunningJobList jobs_;  // of report_ and the map of before_
  IncidentWatch watch_;
};

}  // namespace pssp
