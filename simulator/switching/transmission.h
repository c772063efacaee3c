#pragma once

// Sends packets over links. `Run` is the state of a run (simulator/run/run_state.h): the templates
// are inlined into its loop, and do not depend on its other parts.

#include <algorithm>
#include <cstdint>

#include "simulator/kernel/event.h"
#include "simulator/kernel/fetch.h"
#include "simulator/network/network.h"

namespace pssp {

/// An idle sender has a packet, but no credits for it.
inline void block(LinkRecord& record, SimulatedTime now) {
  if (record.blocked_since == never) record.blocked_since = now;
}
/// It has credits again, or no packet.
inline void unblock(LinkRecord& record, SimulatedTime now) {
  if (record.blocked_since == never) return;
  record.blocked += now - record.blocked_since;
  record.blocked_since = never;
}

/// When a packet that begins to be sent now, and takes `time` by itself, has left. A packet that
/// arrives more slowly than it could leave, but may cut through, leaves with its tail.
inline SimulatedTime left_at(const Network& network, const Link& link, std::uint32_t packet_id,
                             SimulatedTime now, SimulatedTime time) {
  if (network.switching != Switching::cut_through_always || link.from_host) return now + time;
  const Link& behind = network.links[link.from];
  // All other packets over that link have arrived.
  if (behind.last_packet != packet_id) return now + time;
  return std::max(now + time, behind.tail_in);
}

/// When the switch at the head of a link may forward a packet that begins to be sent now.
template <class Run>
SimulatedTime forwarded_at(const Run& run, const Link& link, const Packet& packet,
                           SimulatedTime tail_in) {
  const Network& network = run.network;
  const SimulatedTime head_in = run.now + link.head_in;
  if (network.switching == Switching::cut_through_always) return head_in;
  // A faster link would underrun in the middle of the packet.
  const bool faster =
      !network.has_one_rate && run.ports.most_megabits(network, link.head, packet) > link.megabits;
  return faster || network.switching == Switching::store_and_forward ? std::max(head_in, tail_in)
                                                                     : head_in;
}

/// The sender must be idle and its credits taken. Schedules link_free, when the packet's tail
/// leaves the previous buffer, and arrival or taken, when the packet may be forwarded or the host
/// has taken it.
template <class Run>
void launch(Run& run, std::uint32_t link_id, std::uint32_t packet_id) {
  Network& network = run.network;
  Link& link = network.links[link_id];
  Packet& packet = run.packets[packet_id];
  const SimulatedTime left =
      left_at(network, link, packet_id, run.now, network.time_of(link, packet.bytes));
  link.busy = true;
  link.sending_lane = packet.lane;
  link.sending_credits = static_cast<std::uint16_t>(credits_of(packet.bytes));
  LinkRecord& record = network.records[link_id];
  record.sent_bytes += packet.bytes;
  unblock(record, run.now);
  run.queue.push(left, SimulatorEventKind::link_free, link_id, 0);
  const SimulatedTime tail_in = left + network.link_delay;
  link.tail_in = tail_in;
  link.last_packet = packet_id;
  if (link.to_host) {
    run.queue.push(run.taken_at(link, packet, tail_in), SimulatorEventKind::taken, link_id,
                   packet_id);
    return;
  }
  // Prefetched now, it is in the cache when the header reaches the switch.
  fetch(&network.routes[link.head * network.width + packet.lid]);
  run.queue.push(forwarded_at(run, link, packet, tail_in), SimulatorEventKind::arrival, link_id,
                 packet_id);
}

/// The receiver of a link has room again; its sender gets the credits one link delay later.
template <class Run>
void return_credits(Run& run, std::uint32_t link, std::uint32_t lane, std::uint32_t credits) {
  run.queue.push(run.now + run.network.link_delay, SimulatorEventKind::credits, link,
                 lane << 24U | credits);
}

}  // namespace pssp
