#pragma once

// The receiving side of a channel adapter: takes packets, answers FECN with BECN, and processes
// BECN.

#include <cstdint>

#include "simulator/adapter/sending.h"
#include "simulator/delivery/reliable_delivery.h"
#include "simulator/switching/losing.h"

namespace pssp {

/// Queues a BECN packet for a queue pair at a host.
template <class Run>
void queue_becn(Run& run, std::uint32_t host, std::uint32_t pair) {
  const std::uint32_t source = run.control.host_of(pair);
  const Address address = run.addressing.of(host, source, run.control.level_of(pair));
  const std::uint32_t packet_id = run.packets.take();
  Packet& packet = run.packets[packet_id];
  packet = {};
  packet.created = run.now;
  packet.queue_pair = pair;
  packet.lid = address.lid;
  packet.level = address.level;
  packet.lane = address.lane;
  packet.bytes = static_cast<std::uint16_t>(run.becn_bytes);
  packet.fecn = false;
  packet.becn = true;
  Adapter& adapter = run.adapters[host];
  if (adapter.first_becn == no_index) {
    adapter.first_becn = packet_id;
  } else {
    run.packets[adapter.last_becn].next = packet_id;
  }
  adapter.last_becn = packet_id;
  try_host(run, host);
}

/// The source of a queue pair receives a congestion notification.
template <class Run>
void hear_becn(Run& run, std::uint32_t pair) {
  ++run.record.becns;
  run.control.notice(pair, run.now);
}

/// Processes an event `notice`.
template <class Run>
void give_notice(Run& run, std::uint32_t pair, std::uint32_t host) {
  if (run.ideal_becn) {
    hear_becn(run, pair);
  } else {
    queue_becn(run, host, pair);
  }
}

/// The time at which a host receives a notification that another host sends now; never: there is no
/// route back.
template <class Run>
SimulatedTime heard_at(const Run& run, std::uint32_t from, std::uint32_t to) {
  const Network& network = run.network;
  const std::uint16_t lid = run.addressing.base_lid(to);
  std::uint32_t at = run.addressing.switch_of(from);
  SimulatedTime time = run.now + network.links[network.from_host(from)].head_in;
  for (std::size_t hops = 0; hops < network.switches.size(); ++hops) {
    const std::uint8_t out = network.route(at, lid);
    if (out == no_position) return never;
    const Link& link = network.links[network.out_link[network.switches[at].first_port + out]];
    if (link.to_host) return link.head == to ? time + network.link_delay : never;
    time += link.head_in;
    at = link.head;
  }
  return never;
}

/// A packet of a flow reaches its host. Returns false if the host rejects it because it is out of
/// order or a repetition; at the first gap, the host reports the missing packet.
template <class Run>
bool is_accepted(Run& run, const Packet& packet) {
  const ReliableDelivery::Reception reception = run.delivery.received(packet, run.now);
  if (reception.timer) run.await_timeout(packet.flow, *reception.timer);
  if (reception.missing) {
    const Flow& hosts = run.record.flows[packet.flow].hosts;
    const SimulatedTime heard = heard_at(run, hosts.destination, hosts.source);
    if (heard != never) {
      run.later_by_host(heard, SimulatorEventKind::nak, packet.flow, *reception.missing);
    }
  }
  return reception.is_taken;
}

/// A host repeats the lost part of a message.
template <class Run>
void send_again(Run& run, std::uint32_t flow, const Repeat& again) {
  if (again.gives_up) run.gave_up(flow);
  const Flow& hosts = run.record.flows[flow].hosts;
  run.sources.repeat(hosts, flow, again, run.now);
  try_host(run, hosts.source);
}

/// A host has taken a packet.
template <class Run>
void take(Run& run, std::uint32_t link_id, std::uint32_t packet_id) {
  if constexpr (Run::can_lose) {
    if (is_lost(run, link_id, packet_id)) return;
  }
  const std::uint32_t host = run.network.links[link_id].head;
  const Packet packet = run.packets[packet_id];
  run.packets.give_back(packet_id);
  return_credits(run, link_id, packet.lane, credits_of(packet.bytes));
  if (packet.becn) {
    ++run.record.delivered;
    hear_becn(run, packet.queue_pair);
    return;
  }
  if constexpr (Run::can_lose) {
    if (packet.flow != no_index && !is_accepted(run, packet)) return;
  }
  run.record.taken(packet, run.now);
  if (packet.fecn && packet.queue_pair != no_index) {
    if (run.becn_delay != 0) {
      run.queue.push(run.now + run.becn_delay, SimulatorEventKind::notice, packet.queue_pair, host);
    } else {
      give_notice(run, packet.queue_pair, host);
    }
  }
  if (packet.flow != no_index) run.flow_took(packet);
}

}  // namespace pssp
