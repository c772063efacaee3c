// Nagios reads the first line of a plugin and its status. So the line names the most important
// port, and refers to `check` for the others.

#include "tools/monitor_fabric/nagios_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tools/monitor_fabric/port_rows.h"

namespace pssp {
namespace {

NagiosLine line_of(PluginStatus status, std::string text) {
  return {status, plugin_line("FABRIC", status, std::move(text))};
}

bool is_asked(PortStatus status) {
  return status != PortStatus::not_active && status != PortStatus::left_out;
}

bool is_full_error_counter(const Snapshot& snapshot, const Verdict& verdict) {
  const std::optional<Counter> counter = find_counter(verdict.what);
  return verdict.level == Level::unknown && counter &&
         info_of(*counter).unit == CounterUnit::events &&
         (snapshot.saturated[verdict.port] & mask_of(*counter)) != 0;
}

struct Findings {
  std::size_t bad = 0, watch = 0, full = 0;
  std::size_t unknown_ports = 0;
  const Verdict* first = nullptr;  ///< the most important one
};

Findings findings_of(const Snapshot& snapshot, const std::vector<Verdict>& verdicts) {
  Findings found;
  std::vector<bool> is_unknown;
  for (const PortStatus status : snapshot.status) {
    is_unknown.push_back(is_asked(status) && status != PortStatus::read);
  }
  const Verdict* full = nullptr;
  for (const Verdict& each : verdicts) {
    found.bad += each.level == Level::bad ? 1 : 0;
    found.watch += each.level == Level::watch ? 1 : 0;
    if (each.level != Level::unknown) continue;
    const bool is_full = is_full_error_counter(snapshot, each);
    found.full += is_full ? 1 : 0;
    if (is_full && full == nullptr) full = &each;
    if (each.what == "readings") is_unknown[each.port] = true;
  }
  found.unknown_ports = static_cast<std::size_t>(std::ranges::count(is_unknown, true));
  if (found.bad + found.watch == 0 && full != nullptr) {
    found.first = full;
  } else if (!verdicts.empty()) {
    found.first = &verdicts.front();
  }
  return found;
}

PluginStatus status_of(const Findings& found, const UnknownPortLimits& limits) {
  const bool too_many = limits.critical && found.unknown_ports > *limits.critical;
  if (found.bad != 0 || too_many) return PluginStatus::critical;
  const bool many = found.unknown_ports > limits.warning;
  const bool is_watched = found.watch != 0 || found.full != 0 || many;
  return is_watched ? PluginStatus::warning : PluginStatus::ok;
}

std::string finding_text(const FabricMap& map, const Verdict& verdict) {
  return fmt::format("; {}: {}: {}", port_name(map, map.ports[verdict.port]), verdict.what,
                     verdict.reason);
}

}  // namespace

AnsweredPorts answered_ports(const Snapshot& snapshot) {
  AnsweredPorts ports;
  for (const PortStatus status : snapshot.status) {
    ports.asked += is_asked(status) ? 1 : 0;
    ports.answered += status == PortStatus::read ? 1 : 0;
  }
  return ports;
}

NagiosLine nagios_line(const Snapshot& snapshot, const std::vector<Verdict>& verdicts,
                       const UnknownPortLimits& limits) {
  const AnsweredPorts ports = answered_ports(snapshot);
  if (ports.answered == 0) {
    return nagios_unknown(fmt::format("none of {} ports answered", ports.asked));
  }
  const Findings found = findings_of(snapshot, verdicts);
  return line_of(
      status_of(found, limits),
      fmt::format("{} bad, {} to watch, {} counters full, {} ports unknown; {} of {} ports "
                  "answered{}",
                  found.bad, found.watch, found.full, found.unknown_ports, ports.answered,
                  ports.asked,
                  found.first == nullptr ? "" : finding_text(*snapshot.map, *found.first)));
}

NagiosLine nagios_unknown(std::string reason) {
  return line_of(PluginStatus::unknown, std::move(reason));
}

}  // namespace pssp
