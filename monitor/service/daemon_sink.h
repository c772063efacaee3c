#pragma once

// Processes the results of the fabric thread for the daemon.

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

/// Since when each manager has been in its state; a linear search is enough for the few managers.
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

/// Computes the data that is shown for a sweep and passes the same snapshot to the history; waits
/// for neither.
class DaemonSink final : public FabricSink {
 public:
  /// All arguments must outlive the object; `history` is null without a database.
  DaemonSink(LiveState& live, HistoryThread* history, CapacityOutput& capacities,
             RerouteOutput& reroutes, NotificationOutput& notifications,
             const MonitorConfiguration& configuration, ServiceLog log);

  void take_snapshot(SnapshotPointer snapshot) override;
  void take_event(const MonitorEvent& event) override;
  void take_manager(const ManagerStatus& status) override;
  void take_tables(LiveTablesPointer tables) override;

  /// Must be called before the first sweep; the book must outlive this object.
  void set_acknowledgements(const AcknowledgementBook* book) { acknowledgements_ = book; }

  /// Called by the thread that reads the jobs.
  void take_jobs(JobReportPointer report);
  /// Logs, publishes and stores an event from any source. Also called by threads that find events
  /// outside the fabric.
  void take_found_event(const MonitorEvent& event);
  /// Effective from the next sweep. May be called from any thread.
  void change(const MonitorConfiguration& configuration);

 private:
  void add_manager(const ManagerRecord& record, std::int64_t seen_ms);
  void evaluate(const SnapshotPointer& snapshot, LiveFacts& facts);
  void take_limits();
  void update_cabling(const Snapshot& snapshot, LiveFacts& facts);
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
  JobReportPointer jobs_;  // protected by jobs_mutex_
  LiveFacts facts_;        // used only by the fabric thread
  std::atomic<unsigned> interval_s_ = 10;
  ManagerTimes times_;
  VerdictWatch verdicts_;
  MaintenanceList maintenance_;
  LiveCabling cabling_;
  LiveIncidents incidents_;
  IncidentEvents incident_events_;
  const AcknowledgementBook* acknowledgements_ = nullptr;
  FitWatch fit_;
  std::vector<MonitorEvent> doubts_;  // events since the last sweep that invalidate counts
  std::mutex mutex_;
  std::optional<VerdictSettings> limits_;  // pending change; protected by mutex_
  std::optional<FitSettings> fit_limits_;  // pending change; protected by mutex_
  bool own_port_lost_ = false;
};

}  // namespace pssp
