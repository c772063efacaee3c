#include "monitor/service/advice_run.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "monitor/analysis/attribution.h"

namespace pssp {
namespace {

constexpr std::int64_t ms_a_minute = 60'000;
constexpr std::int64_t hour_before_ms = 60 * ms_a_minute, looked_at_ms = 10 * ms_a_minute;

double bytes_sent(const ObservedTraffic& observed, std::size_t sweep) {
  const std::size_t hosts = observed.fabric->end_port_count();
  double sum = 0;
  for (std::size_t host = 0; host < hosts; ++host) {
    sum += std::max(0.0, observed.sent[sweep * hosts + host]);
  }
  return sum;
}

ChannelId channel_of(const TrafficWindow& window, PortKey link) {
  const auto port = window.map->find_port(link.node, link.number);
  const auto place = port ? window.place_of(*port) : std::nullopt;
  if (!place || place->kind != TrafficWindow::Position::Kind::channel) {
    throw Error(ErrorKind::usage,
                "channel: no channel between switches begins at this port; expected a switch port "
                "that is cabled to another switch");
  }
  return ChannelId(place->index);
}

/// Number of ports without a cable, by SwitchId. The switch cannot distinguish them from ports
/// cabled to a host that is off.
std::vector<std::uint32_t> free_ports_of(const FabricMap& map) {
  const Fabric& fabric = *map.fabric;
  std::vector<std::uint32_t> free(fabric.switch_count(), 0);
  for (std::uint32_t s = 0; s < free.size(); ++s) {
    for (const std::uint32_t p : map.ports_of(fabric.switch_at(SwitchId(s)).guid, 0)) {
      const MapPort& port = map.ports[p];
      const bool is_down = port.state == LinkState::down || port.state == LinkState::unknown;
      if (port.peer == MapPort::no_peer && is_down) ++free[s];
    }
  }
  return free;
}

}  // namespace

TimeWindow busiest_minutes(const std::filesystem::path& database, std::int64_t until_ms,
                           const StopSignal& stop) {
  WindowOptions options;
  options.window = {until_ms - hour_before_ms, until_ms};
  const TrafficWindowPointer hour = read_traffic_window(database, options, stop);
  const std::size_t sweeps = hour->time_ms.size();
  TimeWindow best = options.window;
  double most = -1, sum = 0;
  std::size_t first = 0;
  for (std::size_t last = 0; last < sweeps; ++last) {
    sum += bytes_sent(hour->observed, last);
    while (hour->time_ms[last] - hour->time_ms[first] >= looked_at_ms) {
      sum -= bytes_sent(hour->observed, first++);
    }
    if (sum <= most) continue;
    most = sum;
    best = {hour->time_ms[last] - looked_at_ms + 1, hour->time_ms[last] + 1};
  }
  return best;
}

AdviceRun run_advice(const std::filesystem::path& database, const TimeWindow& window,
                     const AdviceOptions& options, std::optional<PortKey> link) {
  AdviceRun run;
  WindowOptions wanted;
  wanted.window = window;
  run.window = read_traffic_window(database, wanted, options.stop);
  const ObservedTraffic& observed = run.window->observed;
  std::optional<ChannelId> channel;
  if (link) channel = channel_of(*run.window, *link);
  AttributionOptions attribution_options;
  attribution_options.reading_skew = run.window->reading_skew;
  run.traffic = Attribution(observed, attribution_options, options.stop).traffic(1, options.stop);
  run.advice = compare_candidates(observed, run.traffic, run.window->total_seconds(),
                                  candidate_tables(observed, options), options);
  if (channel) {
    run.channel = flows_of_channel(observed, run.traffic, *channel, run.advice.proposals);
    run.free_ports = free_ports_of(*run.window->map);
    CableOptions cables;
    cables.free_ports = run.free_ports;
    cables.stop = options.stop;
    run.cables = helpful_cables(*observed.fabric, *observed.tables, run.traffic, *channel, cables);
  }
  return run;
}

}  // namespace pssp
