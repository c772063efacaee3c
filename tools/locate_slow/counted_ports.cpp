#include "tools/locate_slow/counted_ports.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "base/printable.h"
#include "base/utc_time.h"
#include "base/wall_clock.h"
#include "monitor/store/recordings.h"
#include "monitor/store/verdict_rows.h"

namespace pssp {
namespace {

struct PortEnd {
  PortKey key;
  std::string name;
};

/// The tail of the link; that of its reverse is the other end of the cable.
PortEnd beginning(const MeasuredFabric& measured, std::uint32_t link) {
  const FlowAlternatives& alternatives = *measured.alternatives;
  const Fabric& fabric = alternatives.fabric();
  const auto of_switch = [&](SwitchId s, PortNumber port) {
    return PortEnd{{fabric.switch_at(s).guid, port},
                   fmt::format("{}[{}]", measured.nodes->switch_text(s), port)};
  };
  if (link < alternatives.channel_count()) {
    return of_switch(SwitchId(fabric.channel_tail()[link]), fabric.channel_out_port()[link]);
  }
  const std::uint32_t rank = (link - alternatives.channel_count()) / 2;
  const EndPort& port = fabric.end_port(alternatives.port_of(rank));
  if (link == alternatives.link_to(rank)) return of_switch(port.attached, port.switch_port);
  return {{port.node_guid, port.port}, measured.nodes->label(rank)};
}

std::string newest_names(const std::vector<Recording>& recordings) {
  constexpr std::size_t most = 10;
  if (recordings.empty()) return "none";
  std::string names;
  for (std::size_t i = 0; i < std::min(most, recordings.size()); ++i) {
    names += fmt::format("{}'{}'", i == 0 ? "" : ", ", excerpt(recordings[i].name));
  }
  return recordings.size() > most ? names + ", and older ones" : names;
}

}  // namespace

struct CountedPorts::State {
  State(const std::string& database, const TimeWindow& time)
      : reader(database), window(time), verdicts(read_verdict_rows(database, time)) {}

  CountedPort port(PortKey key, std::string name) const {
    CountedPort counted;
    counted.key = key;
    counted.name = std::move(name);
    counted.is_known = reader.has_port(key);
    if (!counted.is_known) return counted;
    HistoryQuery query;
    query.port = key;
    query.window = window;
    for (const CounterColumn& column : reader.port_history(query).columns) {
      const CounterInfo& info = info_of(column.counter);
      if (info.unit != CounterUnit::events) continue;
      const std::uint64_t events =
          std::accumulate(column.sum.begin(), column.sum.end(), std::uint64_t{0});
      if (events != 0) counted.events.emplace_back(info.name, events);
    }
    std::ranges::copy_if(
        verdicts, std::back_inserter(counted.verdicts),
        [&](const VerdictRecord& each) { return each.port == key && each.level != Level::good; });
    return counted;
  }

  HistoryReader reader;
  TimeWindow window;
  std::vector<VerdictRecord> verdicts;  // of all ports, ascending
};

CountedPorts::CountedPorts(const std::string& database, const TimeWindow& window)
    : state_(std::make_unique<const State>(database, window)) {}

CountedPorts::~CountedPorts() = default;

std::vector<CountedPort> CountedPorts::of(const MeasuredFabric& fabric,
                                          SuspectObject object) const {
  std::vector<CountedPort> ports;
  for (const std::uint32_t link : links_of(*fabric.alternatives, fabric.nodes->ranks(), object)) {
    for (const std::uint32_t each : {link, fabric.alternatives->reverse(link)}) {
      PortEnd end = beginning(fabric, each);
      const bool is_new = std::ranges::none_of(
          ports, [&](const CountedPort& before) { return before.key == end.key; });
      if (is_new) ports.push_back(state_->port(end.key, std::move(end.name)));
    }
  }
  return ports;
}

TimeWindow measured_window(const std::string& database, const std::string& since,
                           const std::string& until, const std::string& recording) {
  TimeWindow window{std::numeric_limits<std::int64_t>::min()};
  const std::int64_t now = wall_clock_ms();
  if (!since.empty()) window.since_ms = parse_time(since, now);
  if (!until.empty()) window.until_ms = parse_time(until, now);
  if (!recording.empty()) {
    constexpr std::size_t all = 1'000'000;
    const std::vector<Recording> known = read_recordings(database, all);
    const auto found = std::ranges::find(known, recording, &Recording::name);
    if (found == known.end()) {
      throw Error(ErrorKind::usage,
                  fmt::format("--recording '{}': not found in {}; available: {}",
                              excerpt(recording), excerpt(database), newest_names(known)));
    }
    window = {found->start_ms, found->end_ms + 1};
  }
  if (window.since_ms < window.until_ms) return window;
  throw Error(ErrorKind::usage, "--since is not before --until");
}

}  // namespace pssp
