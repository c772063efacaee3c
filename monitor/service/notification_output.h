#pragma once

// Sends the notifications of the daemon, to a webhook and by mail as configured. The fabric thread
// passes on incidents; each receiver has a thread that delivers.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "monitor/configuration/configuration.h"
#include "monitor/counters/incident.h"
#include "monitor/notify/delivery_queue.h"
#include "monitor/notify/incident_tracker.h"
#include "monitor/service/service_log.h"
#include "monitor/store/history_thread.h"

namespace pssp {

class NotificationOutput {
 public:
  /// `token` is the token of the webhook; empty if there is none. `history` stores which
  /// notifications were sent, or is null; it must outlive the object. Throws Error(usage) if
  /// settings contradict each other, certificates cannot be read or sendmail cannot be run; throws
  /// Error(unreadable_input) like read_notified_rows().
  NotificationOutput(const MonitorConfiguration& configuration, const std::string& token,
                     HistoryThread* history, const ServiceLog& log);

  /// Takes the incidents of the sweep that began at `monotonic_ns`; does not wait.
  void take(const IncidentList& incidents, std::int64_t monotonic_ns, std::int64_t time_ms);
  /// Why notifications are delayed; empty if none is.
  std::vector<std::string> problems() const;

 private:
  struct Receiver {
    Receiver(IncidentTracker incidents, std::string name, DeliveryQueue::Functions functions)
        : tracker(std::move(incidents)), queue(std::move(name), std::move(functions)) {}

    IncidentTracker tracker;
    DeliveryQueue queue;
  };

  void add_receiver(const MonitorConfiguration& configuration, const std::string& name,
                    Deliver deliver, HistoryThread* history, const ServiceLog& log);

  std::vector<std::unique_ptr<Receiver>> receivers_;
};

}  // namespace pssp
