// A fault whose kind changes, such as a flapping link, has one event for each kind and one when it
// ends. Many faults at once, such as those of a rack without power, give a few events and a number.

#include "monitor/service/incident_events.h"

#include <fmt/format.h>

#include <utility>

#include "base/duration_text.h"
#include "monitor/notify/notification.h"

namespace pssp {
namespace {

constexpr std::size_t most_of_a_kind = 20;

MonitorEvent fault_event(EventKind kind, std::int64_t time_ms, PortKey at, std::string text) {
  MonitorEvent event;
  event.kind = kind;
  event.time_ms = time_ms;
  event.node = at.node;
  event.port = at.number;
  event.text = std::move(text);
  return event;
}

void shorten(std::vector<MonitorEvent>& events) {
  if (events.size() <= most_of_a_kind) return;
  MonitorEvent& last = events[most_of_a_kind - 1];
  last.node = 0;
  last.port = 0;
  last.text = fmt::format("and {} more faults", events.size() - most_of_a_kind + 1);
  events.resize(most_of_a_kind);
}

}  // namespace

std::vector<MonitorEvent> IncidentEvents::add(const std::vector<FabricFault>& faults,
                                              std::int64_t time_ms) {
  if (begun_ms_ == 0) begun_ms_ = time_ms;
  std::map<std::string, Open> now;
  std::vector<MonitorEvent> opened, ended;
  for (const FabricFault& each : faults) {
    const auto before = open_.find(each.id);
    const bool is_known =
        before == open_.end() ? each.since_ms < begun_ms_ : before->second.kind == each.kind;
    const Open& fault =
        now.try_emplace(each.id, Open{each.end.key, each.kind, summary_of(each), each.since_ms})
            .first->second;
    if (is_known) continue;
    opened.push_back(
        fault_event(EventKind::fault_opened, time_ms, fault.at,
                    fmt::format("{} ({})", fault.summary, each.findings.front().measured)));
  }
  for (const auto& [id, fault] : open_) {
    if (now.contains(id)) continue;
    const double seconds = static_cast<double>(time_ms - fault.since_ms) / 1e3;
    ended.push_back(
        fault_event(EventKind::fault_ended, time_ms, fault.at,
                    fmt::format("{} ended after {}", fault.summary, duration_text(seconds))));
  }
  open_ = std::move(now);
  shorten(opened);
  shorten(ended);
  opened.insert(opened.end(), ended.begin(), ended.end());
  return opened;
}

}  // namespace pssp
