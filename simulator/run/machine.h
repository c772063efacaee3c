#pragma once

// Runs a simulation from its first event to its Outcome.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/measure/conservation.h"
#include "simulator/measure/deadlock_cycle.h"
#include "simulator/run/changing_network.h"
#include "simulator/run/fetching.h"
#include "simulator/run/port_samples.h"
#include "simulator/run/run_state.h"
#include "simulator/run/simulation.h"
#include "simulator/run/traffic_check.h"

namespace pssp {

/// Events between two checks of the stop signal and the limits.
inline constexpr std::uint64_t events_per_probe = 16384;

template <class Queue, class Ports = TablePorts>
class Machine {
 public:
  explicit Machine(const RunInput& input)
      : state_(input),
        traffic_(input.traffic),
        request_(input.request),
        samples_(input.request.sampled_ports, input.traffic) {
    const Traffic& traffic = input.traffic;
    for (std::uint32_t host = 0; host < state_.network.hosts; ++host) try_host(state_, host);
    for (std::uint32_t i = 0; i < traffic.rounds.size(); ++i) {
      later(traffic.rounds[i].start, SimulatorEventKind::round, i);
    }
    if (!traffic.trace.empty()) later(traffic.trace.front().time, SimulatorEventKind::message, 0);
    for (std::uint32_t i = 0; i < traffic.flows.size(); ++i) {
      static_cast<void>(first_packet(i, traffic.flows[i].bytes, traffic.flows[i].level));
    }
    if (!state_.changes.empty()) {
      state_.queue.push(state_.changes.front().time, SimulatorEventKind::change, 0, 0);
    }
  }

  RunEnd run() {
    // A small run ends before its first periodic check.
    const RunEnd at_once = check();
    if (at_once != RunEnd::duration) return at_once;
    SimulatedTime begin = 0;
    while (begin < traffic_.duration) {
      const SimulatedTime end = next_halt(begin);
      const RunEnd early = run_until(end);
      const bool ends_sample = end == traffic_.duration || end % traffic_.sample == 0;
      if (ends_sample || early != RunEnd::duration) samples_.end_sample(state_.network);
      if (early != RunEnd::duration) return early;
      if (end == traffic_.warmup) forget();
      begin = end;
    }
    return RunEnd::duration;
  }
  RunState<Queue, Ports>& state() noexcept { return state_; }

  /// Begins a message of a player (simulated_messages.h) at `now`; no earlier event may be pending.
  void begin_message(std::uint32_t message, Flow hosts, std::uint64_t bytes, std::uint8_t level,
                     SimulatedTime now) {
    state_.now = now;
    const std::uint32_t flow = state_.record.pair(hosts, owner_of_simulated(level), bytes);
    const std::uint32_t first =
        state_.messages.begun(flow, message, bytes, state_.network.packet_bytes);
    // The call is needed for its side effect: it numbers packets in the same way.
    static_cast<void>(first_packet(flow, bytes, level));
    state_.sources.open(hosts, bytes, level, now, flow, first);
    try_host(state_, hosts.source);
  }
  /// Simulates events before `end`, until an event concerns the player: then returns true.
  bool simulate_before(SimulatedTime end) {
    Event event;
    while (!state_.messages.has_deliveries() && state_.queue.pop_before(end, event, fetching_)) {
      state_.now = event.time;
      handle(event);
      ++state_.events;
    }
    return state_.messages.has_deliveries();
  }
  std::vector<std::vector<PortInterval>> port_samples() { return samples_.take(); }

 private:
  void later(SimulatedTime time, SimulatorEventKind kind, std::uint32_t subject) {
    state_.later_by_host(time, kind, subject, 0);
  }

  /// For a message that begins now.
  std::uint32_t first_packet(std::uint32_t flow, std::uint64_t bytes, std::uint8_t level) {
    if constexpr (Ports::can_lose) return state_.delivery.begun(flow, bytes, level);
    return 0;
  }

  /// The next time after `begin` at which something is counted: the end of the warm-up, of a port
  /// sample, or of the run.
  SimulatedTime next_halt(SimulatedTime begin) const {
    SimulatedTime halt = begin < traffic_.warmup ? traffic_.warmup : traffic_.duration;
    if (samples_.wanted()) {
      halt = std::min(halt, (begin / traffic_.sample + 1) * traffic_.sample);
    }
    return halt;
  }

  RunEnd run_until(SimulatedTime end) {
    Event event;
    while (state_.queue.pop_before(end, event, fetching_)) {
      state_.now = event.time;
      handle(event);
      if (++state_.events % events_per_probe == 0) {
        const RunEnd early = check();
        if (early != RunEnd::duration) return early;
      }
      if (state_.events == request_.most_events) return RunEnd::most_events;
      if (stuck_) return RunEnd::deadlock;
    }
    if (state_.queue.size() == 0) {
      return state_.packets.in_use() == 0 ? RunEnd::all_delivered : RunEnd::deadlock;
    }
    state_.now = end;
    return RunEnd::duration;
  }

  void handle(const Event& event) {
    switch (event.kind()) {
      case SimulatorEventKind::arrival:
        arrive(state_, event.subject, event.detail);
        break;
      case SimulatorEventKind::taken:
        take(state_, event.subject, event.detail);
        break;
      case SimulatorEventKind::link_free:
        free_link(event.subject);
        break;
      case SimulatorEventKind::credits:
        give_credits(event.subject, event.detail);
        break;
      case SimulatorEventKind::notice:
        give_notice(state_, event.subject, event.detail);
        break;
      case SimulatorEventKind::change:
      case SimulatorEventKind::update:
        if constexpr (Ports::can_lose) change_network(state_, event);
        break;
      default:
        handle_idle(event);
        break;
    }
  }

  /// Handles an event that moves no packet by itself. If only such events are pending, packets in
  /// the network never move again, because nothing that a host begins now removes one from a
  /// buffer.
  void handle_idle(const Event& event) {
    stuck_ = state_.queue.size() + 1 == state_.idle_events && state_.packets.in_use() != 0;
    --state_.idle_events;
    if (event.kind() == SimulatorEventKind::wake) {
      wake(event.subject);
    } else if (event.kind() == SimulatorEventKind::message) {
      send_message(event.subject);
    } else if (event.kind() == SimulatorEventKind::round) {
      begin_round(event.subject);
    } else if constexpr (Ports::can_lose) {
      repeat_what_is_lost(event);
    }
  }

  void repeat_what_is_lost(const Event& event) {
    std::optional<ReliableDelivery::Timer> again;
    const std::optional<Repeat> repeat =
        event.kind() == SimulatorEventKind::nak
            ? state_.delivery.heard_nak(event.subject, event.detail)
            : state_.delivery.ran_out(event.subject, event.detail, state_.now, again);
    if (again) state_.await_timeout(event.subject, *again);
    if (repeat) send_again(state_, event.subject, *repeat);
  }

  void free_link(std::uint32_t link) {
    if (!state_.network.links[link].from_host) return end_of_packet(state_, link);
    state_.network.links[link].busy = false;
    try_host(state_, state_.network.links[link].tail);
  }

  void give_credits(std::uint32_t link, std::uint32_t detail) {
    state_.network.lane_state(link, detail >> 24U).credits +=
        static_cast<std::int32_t>(detail & 0xFFFFFF);
    if (!state_.network.links[link].from_host) return credits_at_switch(state_, link);
    try_host(state_, state_.network.links[link].tail);
  }

  void wake(std::uint32_t host) {
    Adapter& adapter = state_.adapters[host];
    // An earlier event came first, and already did the work of this one.
    if (adapter.wakes != state_.now) return;
    adapter.wakes = never;
    try_host(state_, host);
  }

  void send_message(std::uint32_t number) {
    const TracedMessage& message = traffic_.trace[number];
    open(message.hosts, no_index, message.bytes, message.level);
    if (number + 1 < traffic_.trace.size()) {
      later(traffic_.trace[number + 1].time, SimulatorEventKind::message, number + 1);
    }
    try_host(state_, message.hosts.source);
  }

  void open(Flow hosts, std::uint32_t owner, std::uint64_t bytes, std::uint8_t level) {
    const std::uint32_t flow = state_.record.pair(hosts, owner, bytes);
    state_.sources.open(hosts, bytes, level, state_.now, flow, first_packet(flow, bytes, level));
  }

  void begin_round(std::uint32_t number) {
    const std::vector<Flow>* flows = state_.rounds.begin(number, state_.now);
    if (flows == nullptr) return;
    const RoundTraffic& rounds = traffic_.rounds[number];
    for (const Flow& flow : *flows) {
      if (flow.source == flow.destination) continue;
      open(flow, number, rounds.bytes, rounds.level);
    }
    for (const Flow& flow : *flows) try_host(state_, flow.source);
  }

  /// Periodic check whether to continue.
  RunEnd check() {
    if (request_.progress) request_.progress(state_.now, state_.events);
    if (request_.stop != nullptr && request_.stop->asked()) return RunEnd::stopped;
    if (request_.most_bytes != 0 && bytes() > request_.most_bytes) return RunEnd::most_bytes;
    return RunEnd::duration;
  }

  std::size_t bytes() const {
    return state_.queue.bytes() + state_.network.bytes() + state_.packets.bytes() +
           state_.control.bytes() + state_.sources.bytes() + state_.record.bytes() +
           state_.delivery.bytes();
  }

  void forget() {
    samples_.before_reset(state_.network);
    state_.record.forget();
    for (LinkRecord& record : state_.network.records) {
      record.sent_bytes = record.marks = 0;
      record.congested = record.blocked = 0;
      if (record.congested_lanes != 0) record.congested_since = state_.now;
      if (record.blocked_since != never) record.blocked_since = state_.now;
      record.max_queue_bytes = record.queue_bytes;
    }
  }

  RunState<Queue, Ports> state_;
  Fetching<RunState<Queue, Ports>> fetching_{state_};
  const Traffic& traffic_;
  const RunRequest& request_;
  PortSamples samples_;
  bool stuck_ = false;
};

}  // namespace pssp
