// An incident is announced after it has been in every sweep for the configured delay, and cleared
// after it has been absent for the same delay. Shorter incidents and interruptions cause no
// notification.

#include "monitor/notify/incident_tracker.h"

#include <utility>

namespace pssp {

IncidentTracker::IncidentTracker(NotificationRules rules,
                                 const std::map<std::string, std::string>& announced)
    : rules_(std::move(rules)) {
  for (const auto& [incident, body] : announced) known_[incident].body = body;
}

template <class Incident>
void IncidentTracker::see(const Incident& incident, std::int64_t monotonic_ns, std::int64_t time_ms,
                          const Accept& accept) {
  const auto [at, is_new] = known_.try_emplace(incident.id);
  Known& known = at->second;
  if (is_new || known.last_sweep + 1 != sweep_) known.changed_ns = monotonic_ns;
  known.last_sweep = sweep_;
  if (!known.body.empty() || monotonic_ns - known.changed_ns < rules_.delay_ns) return;
  Notification notification = opened(incident, rules_.page_url, time_ms);
  std::string body = notification.body;
  if (accept(std::move(notification))) known.body = std::move(body);
}

void IncidentTracker::clear_absent(std::int64_t monotonic_ns, std::int64_t time_ms,
                                   const Accept& accept) {
  for (auto at = known_.begin(); at != known_.end();) {
    auto& [incident, known] = *at;
    if (known.last_sweep + 1 == sweep_) known.changed_ns = monotonic_ns;
    const bool is_absent = known.last_sweep != sweep_;
    const bool is_over = is_absent && monotonic_ns - known.changed_ns >= rules_.delay_ns;
    const bool is_forgotten =
        known.body.empty() ? is_absent : is_over && accept(cleared(incident, known.body, time_ms));
    at = is_forgotten ? known_.erase(at) : std::next(at);
  }
}

void IncidentTracker::add(const IncidentList& list, std::int64_t monotonic_ns, std::int64_t time_ms,
                          const Accept& accept) {
  ++sweep_;
  for (const FabricFault& each : list.faults) {
    if (rules_.only_bad && each.level != Level::bad) continue;
    see(each, monotonic_ns, time_ms, accept);
  }
  if (rules_.has_congestion) {
    for (const CongestionGroup& each : list.congestion) see(each, monotonic_ns, time_ms, accept);
  }
  clear_absent(monotonic_ns, time_ms, accept);
}

}  // namespace pssp
