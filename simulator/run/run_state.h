#pragma once

// The mutable state of a run. Templates of switching/ and adapter/ work on it.

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/adapter/receiving.h"
#include "simulator/adapter/rounds.h"
#include "simulator/adaptive/port_choice.h"
#include "simulator/changes/network_changes.h"
#include "simulator/delivery/reliable_delivery.h"
#include "simulator/measure/run_record.h"
#include "simulator/network/network_builder.h"
#include "simulator/run/simulated_messages.h"
#include "simulator/run/simulation.h"
#include "simulator/run/traffic_check.h"
#include "simulator/switching/crossbar.h"

namespace pssp {

/// The inputs of a run, which must outlive it.
struct RunInput {
  const Fabric& fabric;
  const ForwardingTables& tables;
  const ServiceLevels* levels;
  const Traffic& traffic;
  const Model& model;
  const CongestionParameters* congestion;
  const RunRequest& request;
  const AdaptiveRouting* adaptive = nullptr;  ///< for runs with AdaptivePorts

  bool ideal_becn() const noexcept { return model.becn == BecnDelivery::ideal; }
};

inline Network checked_network(const RunInput& input) {
  check_traffic(input.fabric, input.traffic);
  return build_network(input.fabric, input.tables, input.model, input.traffic.packet_bytes);
}

inline std::vector<NetworkChange> checked_changes(const RunInput& input, const Network& network,
                                                  const Addressing& addressing) {
  std::vector<NetworkChange> changes;
  if (input.request.later != nullptr) {
    changes = network_changes({input.fabric, input.tables}, network, *input.request.later);
  }
  check_routes(input.fabric, network, changes, addressing, input.traffic,
               input.congestion != nullptr && !input.ideal_becn());
  return changes;
}

inline RetryRules retry_rules(const RunInput& input) {
  return input.request.later == nullptr ? RetryRules{} : input.request.later->retry;
}

/// `Ports` chooses the output ports of switches (simulator/adaptive/port_choice.h). Not movable,
/// because its parts refer to each other.
template <class Queue, class Ports = TablePorts>
struct RunState {
  static constexpr bool can_lose = Ports::can_lose;

  explicit RunState(const RunInput& input)
      : addressing(input.fabric, input.levels, input.model),
        network(checked_network(input)),
        changes(checked_changes(input, network, addressing)),
        ports(input.adaptive, network),
        marking(marking_rule(input.congestion, input.model, input.fabric, network)),
        control(input.congestion, network.hosts, input.request.seed),
        sources(input.traffic, network, addressing, control, input.request.seed),
        rounds(input.traffic),
        record(input.traffic),
        delivery(input.traffic.packet_bytes, retry_rules(input)),
        adapters(network.hosts),
        becn_bytes(input.model.becn_bytes),
        becn_delay(input.model.becn_delay),
        ideal_becn(input.ideal_becn()),
        sink_picoseconds(input.model.sink_rate == 0 ? 0
                                                    : static_cast<double>(picoseconds_per_second) /
                                                          input.model.sink_rate) {}
  RunState(const RunState&) = delete;
  RunState& operator=(const RunState&) = delete;

  SimulatedTime now = 0;
  std::uint64_t events = 0;
  std::uint64_t idle_events = 0;  ///< pending events that move no packet (actions of hosts)
  Queue queue;
  PacketPool packets;
  Addressing addressing;
  Network network;
  std::vector<NetworkChange> changes;
  Ports ports;
  MarkingRule marking;
  InjectionControl control;
  Sources sources;
  Rounds rounds;
  RunRecord record;
  ReliableDelivery delivery;  ///< for runs with losses
  std::vector<Adapter> adapters;
  SimulatedMessages messages;
  std::uint32_t becn_bytes = 0;
  SimulatedTime becn_delay = 0;
  bool ideal_becn = false;
  double sink_picoseconds = 0;  ///< per byte; 0: the rate of the link

  /// When the host at the end of a link has taken a packet whose tail arrives at `tail_in`.
  SimulatedTime taken_at(const Link& link, const Packet& packet, SimulatedTime tail_in) {
    if (sink_picoseconds == 0) return tail_in;
    Adapter& adapter = adapters[link.head];
    const SimulatedTime head_in = tail_in - network.time_of(link, packet.bytes);
    const auto time = SimulatedTime{std::llround(sink_picoseconds * packet.bytes)};
    adapter.sink_free = std::max(tail_in, std::max(head_in, adapter.sink_free) + time);
    return adapter.sink_free;
  }
  /// The last packet of a message of this flow begins to leave its host.
  void message_sent(std::uint32_t flow) {
    if (is_simulated(record.flows[flow].owner)) messages.sent(flow);
  }
  void flow_took(const Packet& packet) {
    const FlowRecord& flow = record.flows[packet.flow];
    if (flow.owner == no_index) return;
    if (is_simulated(flow.owner)) {
      messages.took(packet);
      return;
    }
    if (!rounds.took(flow.owner, packet.bytes, now)) return;
    later_by_host(now, SimulatorEventKind::round, flow.owner, 0);
  }
  /// Schedules an action of a host that moves no packet by itself.
  void later_by_host(SimulatedTime time, SimulatorEventKind kind, std::uint32_t subject,
                     std::uint32_t detail) {
    ++idle_events;
    queue.push(time, kind, subject, detail);
  }
  std::uint64_t in_flight() const noexcept {
    return record.created - record.delivered - delivery.counts().packets();
  }

  // For runs with losses:

  void was_lost(const Packet& packet) {
    LossCounts& counts = delivery.counts();
    if (counts.first_lost == never) counts.first_lost = now;
    counts.last_lost = now;
    if (packet.flow == no_index) return;
    const std::optional<ReliableDelivery::Timer> timer = delivery.lost(packet, now);
    if (timer) await_timeout(packet.flow, *timer);
  }
  void await_timeout(std::uint32_t flow, const ReliableDelivery::Timer& timer) {
    later_by_host(timer.time, SimulatorEventKind::timeout, flow, timer.sequence);
  }
  void gave_up(std::uint32_t flow) { record.flows[flow].gave_up = true; }
};

}  // namespace pssp
