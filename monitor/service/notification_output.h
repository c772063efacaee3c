#pragma once

// The notifications of the daemon: a webhook and mail, as the configuration says. The fabric's
// thread hands incidents over; each receiver has a thread that delivers.

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
  /// `token`: of the webhook; empty: none. `history`: remembers what was sent, or null; it must
  /// outlive the object. Throws Error(usage) on settings that contradict each other, and if the
  /// certificates cannot be read or sendmail cannot be run; Error(unreadable_input) as
  /// read_notified_rows() does.
  NotificationOutput(const MonitorConfiguration& configuration, const std::string& token,
                     HistoryThread* history, const ServiceLog& log);

  /// The incidents of the sweep that began at `monotonic_ns`; waits for nothing.
  void take(const IncidentList& incidents, std::int64_t monotonic_ns, std::int64_t time_ms);
  /// Why notifications wait; none: all is well.
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
