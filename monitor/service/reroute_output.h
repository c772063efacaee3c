#pragma once

// What the daemon makes of changes of forwarding tables. The fabric's thread hands readings over;
// what a change did to flows is computed on the thread that waits for signals, for that may take a
// second.

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
  /// `history`: where records go, or null; it must outlive the object. `known`: of before, oldest
  /// first. `rule`: how jobs name their nodes.
  RerouteOutput(HistoryThread* history, std::vector<RerouteRecord> known, NodeNameRule rule);

  /// Of the fabric's thread.
  void take_tables(const LiveTablesPointer& tables);
  /// The jobs of now; any thread.
  void take_jobs(JobReportPointer jobs);
  /// All that is known, oldest first; any thread.
  RerouteList list() const;

  /// Computes what is there to be computed, and says what was found.
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
