#pragma once

// Reports changes of forwarding tables. The fabric thread passes on readings. The effect of a
// change on flows is computed on the thread that waits for signals, because that may take a second.

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "fabric/nodes/node_name_rule.h"
#include "monitor/analysis/reroute_watch.h"
#include "monitor/counters/event.h"
#include "monitor/jobs/job_report.h"
#include "monitor/store/history_thread.h"

namespace pssp {

using RerouteList = std::shared_ptr<const std::vector<RerouteRecord>>;

class RerouteOutput {
 public:
  /// `history` receives the records, or is null; it must outlive the object. `known` has earlier
  /// records, oldest first. `rule` converts names of nodes to the names that jobs use.
  RerouteOutput(HistoryThread* history, std::vector<RerouteRecord> known, NodeNameRule rule);

  /// Called by the fabric thread.
  void take_tables(const LiveTablesPointer& tables);
  /// Sets the current jobs; may be called from any thread.
  void take_jobs(JobReportPointer jobs);
  /// All known records, oldest first; may be called from any thread.
  RerouteList list() const;

  /// Computes the effect of all waiting changes, and returns their events.
  std::vector<MonitorEvent> work();

 private:
  struct Waiting {
    SeenReroute reroute;
    JobReportPointer jobs;
  };

  HistoryThread* history_;
  NodeNameRule rule_;
  RerouteWatch watch_;
  mutable std::mutex mutex_;
  std::deque<Waiting> waiting_;
  JobReportPointer jobs_;
  RerouteList list_;
};

}  // namespace pssp
