#pragma once

// What the daemon does with what the fabric's thread finds.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "monitor/analysis/fit_watch.h"
#include "monitor/analysis/verdict_watch.h"
#include "monitor/api/live_state.h"
#include "monitor/configuration/configuration.h"
#include "monitor/live/fabric_thread.h"
#include "monitor/service/acknowledgement_book.h"
#include "monitor/service/capacity_output.h"
#include "monitor/service/incident_events.h"
#include "monitor/service/live_cabling.h"
#include "monitor/service/live_incidents.h"
#include "monitor/service/live_verdicts.h"
#include "monitor/service/notification_output.h"
#include "monitor/service/reroute_output.h"
#include "monitor/service/service_log.h"
#include "monitor/store/history_thread.h"

namespace pssp {

/// Since when a manager is in its state; the list is short.
class ManagerTimes {
 public:
  std::int64_t since(const ManagerView& manager, std::int64_t seen_ms);
  /// The time given to the first call of since(); 0 before it.
  std::int64_t first_ms() const noexcept { return first_ms_; }

 private:
  struct Known {
    Guid guid;
    std::string state;
    std::int64_t since_ms;
  };
  std::vector<Known> known_;
  std::int64_t first_ms_ = 0;
};

/// Computes what is shown of a sweep, hands the same pointer to the history, and waits for neither.
class DaemonSink final : public FabricSink {
 public:
  /// All that is handed over outlives it; without a database there is no `history`.
  DaemonSink(LiveState& live, HistoryThread* history, CapacityOutput& capacities,
             RerouteOutput& reroutes, NotificationOutput& notifications,
             const MonitorConfiguration& configuration, ServiceLog log);

  void take_snapshot(SnapshotPointer snapshot) override;
  void take_event(const MonitorEvent& event) override;
  void take_manager(const ManagerStatus& status) override;
  void take_tables(LiveTablesPointer tables) override;

  /// Before the first sweep; outlives this object.
  void set_acknowledgements(const AcknowledgementBook* book) { acknowledgements_ = book; }

  /// From the thread of jobs.
  void take_jobs(JobReportPointer report);
  /// From the threads that find out what is no matter of the fabric's own.
  void take_found_event(const MonitorEvent& event);
  /// From any thread, and from the next sweep on.
  void change(const MonitorConfiguration& configuration);

 private:
  void add_manager(const ManagerRecord& record, std::int64_t seen_ms);
  void evaluate(const SnapshotPointer& snapshot, LiveFacts& facts);
  void take_limits();
  void look_at_cabling(const Snapshot& snapshot, LiveFacts& facts);
  void evaluate_nodes(const Snapshot& snapshot, LiveFacts& facts);
  void notify(const Snapshot& snapshot, LiveFacts& facts);
  void add_history(LiveFacts& facts) const;
  void add_jobs(LiveFacts& facts);
  JobReportPointer last_jobs();

  const ServiceLog log_;
  LiveState& live_;
  CapacityOutput& capacities_;
  RerouteOutput& reroutes_;
  NotificationOutput& notifications_;
  const VerdictSettings settings_;
  HistoryThread* history_;
  const std::string database_;
  std::mutex jobs_mutex_;
  JobReportPointer jobs_;  // under jobs_mutex_
  LiveFacts facts_;        // of the fabric thread
  std::atomic<unsigned> interval_s_ = 10;
  ManagerTimes times_;
  VerdictWatch verdicts_;
  MaintenanceList maintenance_;
  LiveCabling cabling_;
  LiveIncidents incidents_;
  IncidentEvents incident_events_;
  const AcknowledgementBook* acknowledgements_ = nullptr;
  FitWatch fit_;
  std::vector<MonitorEvent> doubts_;  // since the last sweep
  std::mutex mutex_;
  std::optional<VerdictSettings> limits_;  // to be taken over; under the mutex
  std::optional<FitSettings> fit_limits_;  // likewise
  bool own_port_lost_ = false;
};

}  // namespace pssp
