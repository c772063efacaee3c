#pragma once

// A channel adapter, receiving: takes packets, answers FECN by BECN, and hears BECN.

#include <cstdint>

#include "simulator/adapter/sending.h"

namespace pssp {

/// A BECN packet for a queue pair joins those that wait at a host.
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

/// The source of a queue pair hears of congestion.
template <class Run>
void hear_becn(Run& run, std::uint32_t pair) {
  ++run.record.becns;
  run.control.notice(pair, run.now);
}

/// The time for a BECN has come.
template <class Run>
void give_notice(Run& run, std::uint32_t pair, std::uint32_t host) {
  if (run.ideal_becn) {
    hear_becn(run, pair);
  } else {
    queue_becn(run, host, pair);
  }
}

/// A host has taken a packet.
template <class Run>
void take(Run& run, std::uint32_t link_id, std::uint32_t packet_id) {
  const std::uint32_t host = run.network.links[link_id].head;
  const Packet packet = run.packets[packet_id];
  run.packets.give_back(packet_id);
  return_credits(run, link_id, packet.lane, credits_of(packet.bytes));
  if (packet.becn) {
    ++run.record.delivered;
    hear_becn(run, packet.queue_pair);
    return;
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
