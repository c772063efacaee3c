#pragma once

// Which incidents began and which are over, for one receiver.

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "monitor/counters/incident.h"
#include "monitor/notify/notification.h"

namespace pssp {

struct NotificationRules {
  std::int64_t delay_ns = 0;   ///< an incident must begin, or be over, for so long
  bool only_bad = false;       ///< faults of level bad alone
  bool has_congestion = true;  ///< congestion groups, too
  std::string page_url;        ///< as opened() has it
};

class IncidentTracker {
 public:
  /// Takes a notification; false: no room now, and it is offered again with the next sweep.
  using Accept = std::function<bool(Notification)>;

  /// `announced`: by incident, the body of each that a receiver knows to have begun.
  IncidentTracker(NotificationRules rules, const std::map<std::string, std::string>& announced);

  /// The incidents of a sweep that began at `monotonic_ns`. O(incidents log incidents).
  void add(const IncidentList& list, std::int64_t monotonic_ns, std::int64_t time_ms,
           const Accept& accept);

 private:
  struct Known {
    std::string body;              // of the notification that the incident began; empty: none yet
    std::uint64_t last_sweep = 0;  // the last one that had the incident
    std::int64_t changed_ns = 0;   // when it appeared, or disappeared
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
