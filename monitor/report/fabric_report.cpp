// The report covers the cables of the maps at the beginning of each day and at the end, so that it
// includes cables that were replaced or are down at the end. A cable counts as up while at least
// one of its ends was read. A link that is not active is not read. A node that does not answer
// silences only one end of each of its cables.

#include "monitor/report/fabric_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "fabric/nodes/node_description.h"
#include "monitor/jobs/job_span.h"
#include "monitor/service/history_sums.h"
#include "monitor/store/reroute_rows.h"
#include "monitor/store/state_reader.h"
#include "monitor/store/verdict_rows.h"

namespace pssp {
namespace {

constexpr std::size_t most_reroutes = 100'000;

double hours(std::int64_t ms) { return static_cast<double>(ms) / static_cast<double>(hour_ms); }

/// The keys of both ends, the smaller one first.
using Cable = std::pair<PortKey, PortKey>;

struct Cables {
  std::map<Cable, std::string> names;
  std::map<PortKey, Cable> of_port;
};

std::string end_name(const FabricMap& map, const MapPort& port) {
  return port_label(map.node_of(port).description, port.number);
}

void add_cables(const FabricMap& map, Cables& to) {
  for (const MapPort& port : map.ports) {
    if (port.peer == MapPort::no_peer) continue;
    const MapPort& peer = map.ports[port.peer];
    const Cable cable(map.key_of(port), map.key_of(peer));
    if (cable.second < cable.first) continue;
    to.names[cable] = fmt::format("{} - {}", end_name(map, port), end_name(map, peer));
    to.of_port[cable.first] = to.of_port[cable.second] = cable;
  }
}

Cables cables_in(const HistoryReader& reader, const TimeWindow& window) {
  Cables cables;
  for (std::int64_t at = window.since_ms; at < window.until_ms + day_ms; at += day_ms) {
    const auto map = reader.map_at(std::min(at, window.until_ms - 1));
    if (map != nullptr) add_cables(*map, cables);
  }
  return cables;
}

void add_availability(const HistoryReader& reader, const Cables& cables, FabricReport& report) {
  const AllSums sums = sums_of(reader, report.window);
  std::int64_t monitored_ns = 0;
  for (const auto& [port, sum] : sums) {
    monitored_ns = std::max<std::int64_t>(monitored_ns, sum.difference.ns);
  }
  if (monitored_ns == 0) return;
  report.monitored_h = hours(monitored_ns / 1'000'000);
  const auto share_of = [&](PortKey port) {
    const auto found = sums.find({port.node, port.number});
    if (found == sums.end()) return 0.0;
    return static_cast<double>(found->second.difference.ns) / static_cast<double>(monitored_ns);
  };
  double sum = 0;
  for (const auto& [cable, name] : cables.names) {
    const double share = std::max(share_of(cable.first), share_of(cable.second));
    sum += share;
    // A single late sweep does not count as an interruption.
    constexpr double whole = 0.9999;
    if (share < whole) report.interrupted.push_back({name, share});
  }
  if (report.cables != 0) report.availability = sum / static_cast<double>(report.cables);
  std::ranges::stable_sort(report.interrupted, {}, &CableAvailability::available);
}

bool is_congestion(const VerdictRecord& record) {
  return record.what == info_of(Counter::transmit_wait).name;
}

std::int64_t overlap_ms(const TimeWindow& a, std::int64_t since_ms, std::int64_t until_ms) {
  return std::max<std::int64_t>(0, std::min(a.until_ms, until_ms) - std::max(a.since_ms, since_ms));
}

void add_fault(const VerdictRecord& record, const TimeWindow& window, CableFaults& to) {
  if (record.level > to.level) to = {to.cable, record.level, {}, 0, 0, {}};
  if (record.level < to.level) return;
  if (std::ranges::count(to.kinds, record.what) == 0) to.kinds.push_back(record.what);
  ++to.faults;
  to.hours += hours(overlap_ms(window, record.since_ms, record.until_ms.value_or(window.until_ms)));
  to.last = record.reason;
}

void add_faults(const std::vector<VerdictRecord>& records, const Cables& cables,
                FabricReport& report) {
  std::map<Cable, CableFaults> by_cable;
  for (const VerdictRecord& each : records) {
    const auto cable = cables.of_port.find(each.port);
    if (cable == cables.of_port.end() || is_congestion(each) || each.level < Level::watch) continue;
    CableFaults& faults = by_cable[cable->second];
    faults.cable = cables.names.at(cable->second);
    add_fault(each, report.window, faults);
  }
  for (auto& [cable, faults] : by_cable) report.faulty.push_back(std::move(faults));
  std::ranges::stable_sort(report.faulty, [](const CableFaults& a, const CableFaults& b) {
    return std::pair(a.level, a.hours) > std::pair(b.level, b.hours);
  });
}

/// Sums up how long each host waited for credits while the job ran.
void add_congestion(const std::vector<VerdictRecord>& records, const std::vector<StoredJob>& jobs,
                    FabricReport& report) {
  std::map<Guid, std::vector<const VerdictRecord*>> waiting;
  for (const VerdictRecord& each : records) {
    if (is_congestion(each) && each.level == Level::watch) waiting[each.port.node].push_back(&each);
  }
  for (const StoredJob& stored : jobs) {
    const auto span = span_of(stored.job, stored.gone_ms);
    if (!span) continue;
    const TimeWindow ran{std::max(report.window.since_ms, span->since_ms),
                         std::min(report.window.until_ms, span->until_ms)};
    JobCongestion congestion{stored.job.id, stored.job.name, stored.job.user, 0, 0};
    for (const JobAdapter& adapter : stored.adapters) {
      const auto found = waiting.find(adapter.guid);
      if (found == waiting.end()) continue;
      std::int64_t waited_ms = 0;
      for (const VerdictRecord* each : found->second) {
        waited_ms += overlap_ms(ran, each->since_ms, each->until_ms.value_or(ran.until_ms));
      }
      congestion.hosts += waited_ms > 0 ? 1 : 0;
      congestion.host_hours += hours(waited_ms);
    }
    if (congestion.hosts != 0) report.congested.push_back(std::move(congestion));
  }
  std::ranges::stable_sort(report.congested, std::ranges::greater(), &JobCongestion::host_hours);
}

}  // namespace

FabricReport read_fabric_report(const std::filesystem::path& database, TimeWindow window) {
  const HistoryReader reader(database);
  const HistoryStatus status = reader.status();
  window.since_ms = std::max(window.since_ms, status.oldest_ms);
  window.until_ms = std::min(window.until_ms, status.newest_ms + 1);
  if (status.newest_ms == 0 || window.since_ms >= window.until_ms) {
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format("{}: the history has no sweep in this period", excerpt(database.string())));
  }
  FabricReport report;
  report.window = window;
  const Cables cables = cables_in(reader, window);
  report.cables = cables.names.size();
  add_availability(reader, cables, report);
  const std::vector<VerdictRecord> verdicts = read_verdict_rows(database, window);
  add_faults(verdicts, cables, report);
  JobQuery query;
  query.window = window;
  add_congestion(verdicts, StateReader(database).jobs(query), report);
  for (RerouteRecord& each : read_reroute_rows(database, most_reroutes)) {
    if (each.begin_ms >= window.since_ms && each.begin_ms < window.until_ms) {
      report.reroutes.push_back(std::move(each));
    }
  }
  std::ranges::reverse(report.reroutes);
  return report;
}

}  // namespace pssp
