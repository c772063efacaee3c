#pragma once

// Finds out, for one receiver, which incidents began and which ended.

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "monitor/counters/incident.h"
#include "monitor/notify/notification.h"

namespace pssp {

struct NotificationRules {
  /// minimum duration of an incident, or of its absence, before it is reported
  std::int64_t delay_ns = 0;
  bool only_bad = false;       ///< report only faults of level bad
  bool has_congestion = true;  ///< also report congestion groups
  std::string page_url;        ///< as in opened()
};

class IncidentTracker {
 public:
  /// Accepts a notification. Returns false if the queue is full; the tracker then offers the
  /// notification again at the next sweep.
  using Accept = std::function<bool(Notification)>;

  /// `announced` maps each incident that was already reported to the receiver to its notification
  /// body.
  IncidentTracker(NotificationRules rules, const std::map<std::string, std::string>& announced);

  /// Processes the incidents of a sweep that began at `monotonic_ns`. O(incidents log incidents).
  void add(const IncidentList& list, std::int64_t monotonic_ns, std::int64_t time_ms,
           const Accept& accept);

 private:
  struct Known {
    // body of the notification that the incident began; empty: not sent yet
    std::string body;
    std::uint64_t last_sweep = 0;  // the last sweep that contained the incident
    std::int64_t changed_ns = 0;   // when the incident appeared or disappeared
  };

  template <class Incident>
  void see(const Incident& incident, std::int64_t monotonic_ns, std::int64_t time_ms,
           const Accept& accept);
  void clear_absent(std::int64_t monotonic_ns, std::int64_t time_ms, const Accept& accept);

  NotificationRules rules_;
  std::map<std::string, Known> known_;
  std::uint64_t sweep_ = 0;
};

}  // namespace pssp
