// Counters are set, not increased, because ibsim's console cannot do more. Between two settings,
// ibsim counts the management packets that it carries itself; a lower setting would look like
// cleared counters. So a port is set when its traffic has grown by more than management packets
// ever cause in that time, and ports without traffic of jobs are left to ibsim.

#include "tools/play_traffic/port_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

constexpr std::uint64_t error_purpose = 23;
constexpr double least_growth = 16e6;  // bytes
constexpr double packet_bytes = 2048;
constexpr double bytes_of_word = 4;

struct SimulatedErrorKind {
  const char* counter;
  double per_second;
  std::uint64_t most;
};
constexpr std::array error_kinds{SimulatedErrorKind{"SymbolErrorCounter", .5, 65535},
                                 SimulatedErrorKind{"PortXmitDiscards", .2, 65535},
                                 SimulatedErrorKind{"LinkErrorRecoveryCounter", .02, 255},
                                 SimulatedErrorKind{"PortRcvErrors", .05, 65535}};

}  // namespace

std::vector<SimulatedPort> ports_of(const Fabric& fabric) {
  const SimulatedLinks links{fabric.channel_count(), fabric.end_port_count()};
  std::vector<SimulatedPort> ports;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const Switch& of = fabric.switch_at(SwitchId(s));
    const std::string description = description_or_name(of);
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      ports.push_back({of.name, description, of.guid, fabric.channel_out_port()[c], c,
                       fabric.channel_reverse()[c], true});
    }
    for (const EndPortId host : fabric.end_ports_of(SwitchId(s))) {
      const EndPort& end = fabric.end_port(host);
      ports.push_back({of.name, description, of.guid, end.switch_port, links.into(host.value()),
                       links.out_of(host.value()), true});
      ports.push_back({end.name, description_or_name(end), end.node_guid, end.port,
                       links.out_of(host.value()), links.into(host.value()), false});
    }
  }
  return ports;
}

SimulatedCounters::SimulatedCounters(const Fabric& fabric, unsigned error_cables,
                                     std::uint64_t seed)
    : ports_(ports_of(fabric)), random_(random_stream(seed, error_purpose, 0)) {
  const std::size_t links = fabric.channel_count() + 2 * fabric.end_port_count();
  bytes_.assign(links, 0);
  waited_.assign(links, 0);
  reported_.assign(links, 0);
  reported_waiting_.assign(links, 0);
  std::vector<std::uint32_t> switch_ports;
  for (std::uint32_t p = 0; p < ports_.size(); ++p) {
    if (ports_[p].is_switch) switch_ports.push_back(p);
  }
  shuffle(switch_ports, random_);
  for (std::size_t i = 0; i < std::min<std::size_t>(error_cables, switch_ports.size()); ++i) {
    const SimulatedErrorKind& kind = error_kinds[i % error_kinds.size()];
    errors_.push_back({switch_ports[i], kind.counter, kind.per_second, kind.most, 0});
  }
  reported_errors_.assign(errors_.size(), 0);
}

void SimulatedCounters::add(const TrafficPlayer& player, double seconds) {
  for (std::size_t link = 0; link < bytes_.size(); ++link) {
    bytes_[link] += player.bytes()[link];
    waited_[link] += player.waited()[link];
  }
  for (SimulatedError& error : errors_) {
    error.counted += error.per_second * seconds * 2 * unit_interval(random_());
  }
}

std::uint64_t SimulatedCounters::words(std::size_t link) const {
  return static_cast<std::uint64_t>(bytes_[link] / bytes_of_word);
}

std::uint64_t SimulatedCounters::packets(std::size_t link) const {
  return static_cast<std::uint64_t>(std::ceil(bytes_[link] / packet_bytes));
}

std::uint64_t SimulatedCounters::waited(std::size_t link) const {
  constexpr double full = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint64_t>(std::min(waited_[link], full));
}

void SimulatedCounters::set_traffic(const SimulatedPort& port, bool all, std::string& lines) {
  const auto set = [&](std::string_view counter, std::uint64_t value) {
    fmt::format_to(std::back_inserter(lines), "PerformanceSet \"{}\"[{}] {}={}\n", port.node,
                   port.number, counter, value);
  };
  const auto has_grown = [&](std::size_t link) {
    const double growth = bytes_[link] - reported_[link];
    return growth >= least_growth || (all && growth > 0);
  };
  if (has_grown(port.out)) {
    set("PortCountersExtended.PortXmitData", words(port.out));
    set("PortCountersExtended.PortXmitPkts", packets(port.out));
  }
  if (has_grown(port.in)) {
    set("PortCountersExtended.PortRcvData", words(port.in));
    set("PortCountersExtended.PortRcvPkts", packets(port.in));
  }
  if (waited_[port.out] > reported_waiting_[port.out]) {
    set("PortCounters.PortXmitWait", waited(port.out));
  }
}

std::string SimulatedCounters::settings(bool all) {
  std::string lines;
  for (const SimulatedPort& port : ports_) set_traffic(port, all, lines);
  for (std::size_t link = 0; link < bytes_.size(); ++link) {
    if (all || bytes_[link] - reported_[link] >= least_growth) reported_[link] = bytes_[link];
  }
  reported_waiting_ = waited_;
  for (std::size_t i = 0; i < errors_.size(); ++i) {
    const SimulatedError& error = errors_[i];
    const double counted = std::floor(std::min(error.counted, static_cast<double>(error.most)));
    if (counted <= reported_errors_[i]) continue;
    const SimulatedPort& port = ports_[error.port];
    fmt::format_to(std::back_inserter(lines), "PerformanceSet \"{}\"[{}] PortCounters.{}={:.0f}\n",
                   port.node, port.number, error.counter, counted);
    reported_errors_[i] = counted;
  }
  return lines;
}

}  // namespace pssp
