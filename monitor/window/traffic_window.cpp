// A window is read in four steps: the map, the forwarding tables, the counters (window_counters.h),
// and the jobs.
//
// The attribution uses the paths of a single version of the tables. If the tables changed in the
// window, the time before the change is left out, unless the routes between hosts stayed the same.
// Hosts that come and go change tables all day without affecting the routes of other hosts.

#include "monitor/window/traffic_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "monitor/counters/map_fabric.h"
#include "monitor/jobs/node_names.h"
#include "monitor/window/port_roles.h"
#include "monitor/window/window_counters.h"

namespace pssp {
namespace {

/// Some adapters update their counters only now and then, not with each packet.
constexpr double least_skew = 0.01;
/// Size of a MAD with all headers, in bytes.
constexpr double mad_bytes = 288;
/// Per port, a host also gets requests for its identity and its capabilities.
constexpr double requests_beside_counters = 4;
constexpr std::size_t most_versions_compared = 16;
constexpr double ms_per_s = 1e3;

/// Reads the parts of a window one after another.
class WindowReader {
 public:
  WindowReader(const std::filesystem::path& file, const WindowOptions& options,
               const StopSignal& stop)
      : file_(file),
        options_(options),
        stop_(stop),
        history_(file),
        states_(file),
        window_(std::make_shared<TrafficWindow>()) {}

  TrafficWindowPointer read() {
    read_map();
    read_tables();
    read_samples();
    read_jobs();
    return window_;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::unreadable_input, fmt::format("{}: {}", excerpt(file_.string()), what));
  }

  void read_map() {
    const std::shared_ptr<const FabricMap> found =
        history_.map_at(options_.window.until_ms == std::numeric_limits<std::int64_t>::max()
                            ? options_.window.until_ms
                            : options_.window.until_ms - 1);
    if (!found) refuse("the database has no sweep yet");
    FabricMap map = *found;
    try {
      map.fabric = std::make_shared<const Fabric>(fabric_of(map));
    } catch (const Error& error) {
      refuse(fmt::format("the topology of that time cannot be routed: {}", error.what()));
    }
    window_->map = std::make_shared<const FabricMap>(std::move(map));
    window_->observed.fabric = window_->map->fabric.get();
    window_->observed.groups = groups_by_name(*window_->map->fabric);
  }

  ForwardingTables tables_of(std::int64_t version) const {
    const Fabric& fabric = *window_->map->fabric;
    ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
    for (const StoredSwitchTable& each : states_.tables(version)) {
      const auto at = fabric.find_switch(each.guid);
      if (!at) continue;
      const std::size_t end = std::min<std::size_t>(each.entries.size(), fabric.max_lid() + 1U);
      for (std::size_t lid = 1; lid < end; ++lid) {
        tables.set(*at, static_cast<Lid>(lid), each.entries[lid]);
      }
    }
    return tables;
  }

  /// True if all LFT entries for hosts that exist in both tables are equal.
  bool routes_are_same(const ForwardingTables& a, const ForwardingTables& b) const {
    const Fabric& fabric = *window_->map->fabric;
    for (const Lid lid : fabric.lids()) {
      if (!fabric.is_endpoint_lid(lid)) continue;
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        const PortNumber one = a.at(SwitchId(s), lid);
        const PortNumber other = b.at(SwitchId(s), lid);
        if (one != other && one != no_port && other != no_port) return false;
      }
    }
    return true;
  }

  void read_tables() {
    std::vector<TableVersion> versions = states_.table_versions(options_.window);
    if (versions.empty()) {
      versions = states_.table_versions({options_.window.since_ms});
      if (!versions.empty()) versions.resize(1);
    }
    if (versions.empty()) {
      refuse(
          "no forwarding tables are stored; pssp monitor serve stores them unless "
          "tables_interval_s is 0");
    }
    window_->tables_version = versions.back();
    window_->tables = tables_of(versions.back().version);
    window_->observed.tables = &window_->tables;
    since_ms_ = options_.window.since_ms;
    for (std::size_t i = versions.size() - 1; i-- > 0;) {
      stop_.check("reading tables");
      if (versions.size() - i <= most_versions_compared &&
          routes_are_same(window_->tables, tables_of(versions[i].version))) {
        continue;
      }
      since_ms_ = std::max(since_ms_, versions[i + 1].time_ms);
      window_->remarks.emplace_back(
          "routes changed in this period; data from before the last change is ignored");
      break;
    }
  }

  HistoryLevel level() const {
    if (options_.level) return *options_.level;
    const HistoryStatus status = history_.status();
    constexpr std::size_t too_many = 10;
    HistoryLevel coarsest = HistoryLevel::raw;
    for (std::size_t i = 0; i < history_levels; ++i) {
      const std::int64_t oldest = status.oldest_of_level[i];
      if (oldest == 0) continue;
      coarsest = static_cast<HistoryLevel>(i);
      const std::int64_t beginning =
          std::max(options_.window.since_ms, status.oldest_ms + five_minutes_ms);
      const bool has_all = oldest <= beginning;
      const bool is_short =
          coarsest != HistoryLevel::raw ||
          history_.sweeps(options_.window).size() <= options_.most_sweeps * too_many;
      if (has_all && is_short) return coarsest;
    }
    return coarsest;
  }

  void read_samples() {
    window_->level = level();
    const std::size_t rows =
        window_->level == HistoryLevel::raw ? history_.sweeps(options_.window).size() : periods();
    const std::size_t most = std::max<std::size_t>(1, options_.most_sweeps);
    const std::size_t joined = std::max<std::size_t>(1, (rows + most - 1) / most);
    WindowCounters counted(*window_, since_ms_, joined);
    std::uint64_t samples = 0;
    history_.for_each_sample(window_->level, options_.window, std::nullopt,
                             [&](const HistorySample& sample) {
                               constexpr std::uint64_t now_and_then = 4096;
                               if (++samples % now_and_then == 0) stop_.check("reading counters");
                               counted.add(sample);
                               return true;
                             });
    counted.finish();
    if (window_->observed.sweeps == 0) {
      refuse("no two consecutive sweeps in this period; choose a period in which the monitor ran");
    }
    if (joined > 1) {
      window_->remarks.push_back(
          fmt::format("every {} {} were merged into one", joined,
                      window_->level == HistoryLevel::raw ? "sweeps" : "periods"));
    }
    find_skew();
  }

  /// Upper limit for the number of periods in the window; it only decides how many are added up.
  std::size_t periods() const {
    const HistoryStatus status = history_.status();
    const std::int64_t length =
        window_->level == HistoryLevel::five_minutes ? five_minutes_ms : hour_ms;
    const std::int64_t since = std::max(options_.window.since_ms, status.oldest_ms);
    const std::int64_t until = std::min(options_.window.until_ms, status.newest_ms);
    return static_cast<std::size_t>(std::max<std::int64_t>(0, until - since) / length + 1);
  }

  /// Readings of different ports are not simultaneous, and the requests of the monitor are traffic,
  /// too.
  void find_skew() {
    const std::vector<HistorySweep> sweeps = history_.sweeps(options_.window);
    double longest = 0;
    double mads = 0;
    double mads_a_port = 0;
    for (const HistorySweep& each : sweeps) {
      longest = std::max(longest, static_cast<double>(each.figures.duration_ns) / 1e9);
      const auto sent = static_cast<double>(each.figures.mads);
      mads += sent;
      if (each.figures.asked != 0) mads_a_port += sent / each.figures.asked;
    }
    const double shortest = *std::min_element(window_->seconds.begin(), window_->seconds.end());
    window_->reading_skew = std::clamp(longest / shortest, least_skew, 1.0);
    window_->observed.management_bytes = mads * mad_bytes;
    window_->observed.quiet_bytes = requests_beside_counters * mads_a_port * mad_bytes;
  }

  // ---- jobs ----

  std::vector<StoredJob> wanted_jobs(const NodeNames& names) const {
    if (!options_.jobs) {
      JobQuery query;
      query.window = {window_->time_ms.front() - first_ms(), window_->time_ms.back()};
      return states_.jobs(query);
    }
    std::vector<StoredJob> all;
    for (const Job& job : options_.jobs->jobs) {
      StoredJob stored;
      stored.source = "file";
      stored.job = job;
      for (const std::string& name : job.nodes) {
        const auto found = names.find(name);
        if (found.empty()) stored.adapters.push_back({name, 0});
        for (const std::uint32_t node : found) {
          stored.adapters.push_back({name, window_->map->nodes[node].guid});
        }
      }
      all.push_back(std::move(stored));
    }
    return all;
  }

  std::int64_t first_ms() const {
    return static_cast<std::int64_t>(window_->seconds.front() * ms_per_s);
  }

  void read_jobs() {
    const Fabric& fabric = *window_->map->fabric;
    const NodeNames names(*window_->map, NodeNameRule(options_.node_names));
    std::unordered_map<Guid, std::vector<std::uint32_t>> ports;
    for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
      ports[fabric.end_port(EndPortId(e)).node_guid].push_back(e);
    }
    for (StoredJob& stored : wanted_jobs(names)) {
      stop_.check("finding the hosts of jobs");
      WindowJob job = placed_nodes(std::move(stored));
      PlacedJob placed;
      for (const std::uint32_t node : job.nodes) {
        const auto found = ports.find(window_->map->nodes[node].guid);
        if (found == ports.end()) continue;
        placed.hosts.insert(placed.hosts.end(), found->second.begin(), found->second.end());
      }
      std::sort(placed.hosts.begin(), placed.hosts.end());
      if (placed.hosts.empty() || !set_sweeps(job.span, placed)) continue;
      window_->jobs.push_back(std::move(job));
      window_->observed.jobs.push_back(std::move(placed));
    }
    if (!options_.jobs) window_->job_source = states_.job_source();
    mark_shared(names, ports);
  }

  WindowJob placed_nodes(StoredJob stored) const {
    WindowJob job;
    for (const JobAdapter& adapter : stored.adapters) {
      const auto node = adapter.guid == 0 ? std::nullopt : window_->map->find_node(adapter.guid);
      if (node) {
        job.nodes.push_back(*node);
      } else {
        job.not_found.push_back(adapter.name);
      }
    }
    std::sort(job.nodes.begin(), job.nodes.end());
    job.nodes.erase(std::unique(job.nodes.begin(), job.nodes.end()), job.nodes.end());
    job.span = span_of(stored.job, stored.gone_ms);
    job.stored = std::move(stored);
    return job;
  }

  /// Sets the sweeps that overlap with the job. Returns false if there are none.
  bool set_sweeps(const std::optional<JobSpan>& span, PlacedJob& placed) const {
    if (!span) return false;
    const std::size_t sweeps = window_->time_ms.size();
    placed.first_sweep = sweeps;
    placed.end_sweep = 0;
    for (std::size_t i = 0; i < sweeps; ++i) {
      const std::int64_t end = window_->time_ms[i];
      const auto begin = end - static_cast<std::int64_t>(window_->seconds[i] * ms_per_s);
      if (span->since_ms >= end || span->until_ms <= begin) continue;
      placed.first_sweep = std::min(placed.first_sweep, i);
      placed.end_sweep = i + 1;
    }
    return placed.first_sweep < placed.end_sweep;
  }

  void mark_shared(const NodeNames& names,
                   const std::unordered_map<Guid, std::vector<std::uint32_t>>& ports) {
    if (options_.shared_hosts.empty()) return;
    window_->observed.shared_hosts.assign(window_->map->fabric->end_port_count(), 0);
    for (const std::string& name : options_.shared_hosts) {
      for (const std::uint32_t node : names.find(name)) {
        const auto found = ports.find(window_->map->nodes[node].guid);
        if (found == ports.end()) continue;
        for (const std::uint32_t port : found->second) window_->observed.shared_hosts[port] = 1;
      }
    }
  }

  const std::filesystem::path& file_;
  const WindowOptions& options_;
  const StopSignal& stop_;
  HistoryReader history_;
  StateReader states_;
  std::shared_ptr<TrafficWindow> window_;
  std::int64_t since_ms_ = 0;
};

}  // namespace

double TrafficWindow::total_seconds() const noexcept {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

std::optional<TrafficWindow::Position> TrafficWindow::place_of(std::uint32_t map_port) const {
  return PortRoles(*map, *map->fabric).of(map_port);
}

std::uint32_t TrafficWindow::port_of(ChannelId channel) const {
  const Fabric& fabric = *map->fabric;
  const SwitchId tail(fabric.channel_tail()[channel.value()]);
  return map->find_port(fabric.switch_at(tail).guid, fabric.channel_out_port()[channel.value()])
      .value();
}

TrafficWindowPointer read_traffic_window(const std::filesystem::path& database,
                                         const WindowOptions& options, const StopSignal& stop) {
  return WindowReader(database, options, stop).read();
}

}  // namespace pssp
