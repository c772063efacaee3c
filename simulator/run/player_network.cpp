// The machine of a run without traffic of its own: what it plays is begun from outside, between two
// of its events. It goes on until there is news of a message, or to the next time at which its
// player has something to do; at equal times the player is first.

#include "simulator/run/player_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "applications/networks/ways.h"
#include "base/error.h"
#include "simulator/kernel/calendar_queue.h"
#include "simulator/measure/conservation.h"
#include "simulator/network/route_check.h"
#include "simulator/run/machine.h"

namespace pssp {
namespace {

/// One sample, which never ends.
Traffic no_traffic() {
  Traffic traffic;
  traffic.duration = traffic.sample = std::numeric_limits<SimulatedTime>::max() / 4;
  return traffic;
}

std::vector<std::uint32_t> ranks_by_end_port(const Fabric& fabric) {
  std::vector<std::uint32_t> ranks(fabric.end_port_count(), no_index);
  for (std::uint32_t rank = 0; rank < fabric.endpoints().size(); ++rank) {
    ranks[fabric.endpoints()[rank].value()] = rank;
  }
  return ranks;
}

}  // namespace

struct PacketNetwork::Parts {
  Parts(const Fabric& of, const ForwardingTables& tables, const Model& of_run,
        const CongestionParameters* congestion)
      : fabric(of),
        model(of_run),
        traffic(no_traffic()),
        ways(of, &tables, {of_run.link_delay, of_run.switch_delay}),
        ranks(ranks_by_end_port(of)),
        machine({of, tables, nullptr, traffic, model, congestion, request}) {
    capacities = ways.capacities();
  }

  const Fabric& fabric;
  const Model& model;
  Traffic traffic;
  RunRequest request;
  MessageWays ways;
  std::vector<std::uint32_t> ranks;  // by EndPortId
  Machine<CalendarQueue> machine;
  std::vector<double> capacities;  // bytes a picosecond, by links of `ways`
  std::vector<std::uint32_t> way;
};

PacketNetwork::PacketNetwork(const Fabric& fabric, const ForwardingTables& tables,
                             const Model& model, std::span<const EndPortId> hosts,
                             const CongestionParameters* congestion)
    : parts_(std::make_unique<Parts>(fabric, tables, model, congestion)) {
  RouteCheck routes(fabric, parts_->machine.state().network);
  std::vector<char> is_asked(fabric.switch_count());
  std::vector<std::uint32_t> switches;
  for (const EndPortId host : hosts) {
    const std::uint32_t at = fabric.end_port(host).attached.value();
    if (std::exchange(is_asked[at], 1) == 0) switches.push_back(at);
  }
  for (const EndPortId host : hosts) {
    for (const std::uint32_t at : switches) routes.ask(at, fabric.end_port(host).lid);
  }
  routes.check();
}

PacketNetwork::~PacketNetwork() = default;

double PacketNetwork::picoseconds_per_byte() const {
  return parts_->capacities.empty() ? 1 : 1 / *std::ranges::min_element(parts_->capacities);
}

PlayTime PacketNetwork::delay(EndPortId from, EndPortId to) { return parts_->ways.delay(from, to); }

PlayTime PacketNetwork::time_alone(double bytes, EndPortId from, EndPortId to) {
  parts_->ways.collect(from, to, parts_->way);
  double rate = parts_->capacities[parts_->way.front()];
  for (const std::uint32_t link : parts_->way) rate = std::min(rate, parts_->capacities[link]);
  return static_cast<PlayTime>(std::ceil(bytes / rate)) + parts_->ways.delay(parts_->way.size());
}

void PacketNetwork::begin(std::uint32_t message, double bytes, EndPortId from, EndPortId to,
                          PlayTime now) {
  const Flow hosts{parts_->ranks[from.value()], parts_->ranks[to.value()]};
  parts_->machine.begin_message(message, hosts, static_cast<std::uint64_t>(bytes), now);
}

PlayTime PacketNetwork::next_news(PlayTime until) {
  if (parts_->machine.play_before(until)) return parts_->machine.state().now;
  if (until == std::numeric_limits<PlayTime>::max() &&
      parts_->machine.state().packets.in_use() != 0) {
    throw Error(ErrorKind::verification_failed,
                fmt::format("{} packets wait for each other in a circle: the routes have a credit "
                            "loop; use tables without one (eval_lft tells)",
                            parts_->machine.state().packets.in_use()));
  }
  return until;
}

bool PacketNetwork::take_news(PlayTime now, MessageNews& news) {
  RunState<CalendarQueue>& state = parts_->machine.state();
  if (!state.messages.has_news() || state.now != now) return false;
  const PlayedMessages::News taken = state.messages.take_news();
  news = {taken.message, taken.has_arrived ? MessageNews::Kind::arrived : MessageNews::Kind::left};
  return true;
}

std::uint64_t PacketNetwork::events() const noexcept { return parts_->machine.state().events; }

void PacketNetwork::check_conservation() const {
  RunState<CalendarQueue>& state = parts_->machine.state();
  ConservationCheck conservation(state.network, state.packets);
  state.queue.for_each([&](const Event& event) { conservation.add(event); });
  conservation.check(state.record.created - state.record.delivered);
}

}  // namespace pssp
