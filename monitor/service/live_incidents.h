#pragma once

// Incidents of a running daemon: prepares the input of IncidentWatch from sweep to sweep.

#include <map>
#include <memory>
#include <vector>

#include "fabric/nodes/node_name_rule.h"
#include "monitor/analysis/incident_watch.h"
#include "monitor/jobs/job_report.h"

namespace pssp {

/// Used only by the fabric thread.
class LiveIncidents {
 public:
  /// `rule` converts names of nodes to the names that the scheduler uses.
  explicit LiveIncidents(NodeNameRule rule) : rule_(std::move(rule)) {}

  /// See IncidentWatch::restore().
  void restore(const std::map<PortKey, IncidentPort>& peers) { watch_.restore(peers); }
  /// Effective from the next sweep.
  void set_tables(LiveTablesPointer tables) { tables_ = std::move(tables); }
  /// Takes the next sweep. `jobs` may be null. Returns null before the second sweep. O(ports).
  std::shared_ptr<const IncidentList> add(const SnapshotPointer& snapshot,
                                          const std::vector<StandingVerdict>& standing,
                                          const JobReportPointer& jobs);

 private:
  void place_jobs(const SnapshotPointer& snapshot, const JobReportPointer& report);

  NodeNameRule rule_;
  LiveTablesPointer tables_;
  SnapshotPointer before_;
  JobReportPointer report_;
  RunningJobList jobs_;  // for report_ and the map of before_
  IncidentWatch watch_;
};

}  // namespace pssp
