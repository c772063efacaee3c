#pragma once

// The sending side of a channel adapter: BECN packets first, then its streams round-robin. A stream
// that congestion control delays, or that has no packet yet, is skipped, so it does not block the
// others.

#include <cstdint>

#include "simulator/adapter/sources.h"
#include "simulator/switching/transmission.h"

namespace pssp {

struct Adapter {
  std::uint32_t first_becn = no_index, last_becn = no_index;  ///< waiting packets, linked
  SimulatedTime wakes = never;  ///< time of its wake event; never: none
  SimulatedTime sink_free = 0;  ///< when it has taken all earlier packets
};

template <class Run>
bool has_credits(Run& run, std::uint32_t link, std::uint32_t lane, std::uint32_t bytes) {
  return run.network.lane_state(link, lane).credits >= static_cast<std::int32_t>(credits_of(bytes));
}

template <class Run>
void send_from_host(Run& run, std::uint32_t link, std::uint32_t packet_id) {
  const Packet& packet = run.packets[packet_id];
  run.network.lane_state(link, packet.lane).credits -=
      static_cast<std::int32_t>(credits_of(packet.bytes));
  run.record.sent();
  launch(run, link, packet_id);
}

/// Sends the next packet of a stream.
template <class Run>
void send_of_stream(Run& run, std::uint32_t link, std::uint32_t stream_id) {
  const Stream& stream = run.sources[stream_id];
  const std::uint32_t packet_id = run.packets.take();
  Packet& packet = run.packets[packet_id];
  const std::uint32_t bytes = run.sources.packet_bytes(stream);
  packet.created = stream.born == never ? run.now : stream.born;
  packet.flow = stream.flow;
  packet.queue_pair = stream.queue_pair;
  packet.sequence = stream.sequence;
  packet.lid = stream.lid;
  packet.bytes = static_cast<std::uint16_t>(bytes);
  packet.lane = stream.lane;
  packet.level = stream.level;
  packet.fecn = packet.becn = packet.lost = false;
  const SimulatedTime time = run.network.time_of(run.network.links[link], bytes);
  if (stream.queue_pair != no_index) run.control.sent(stream.queue_pair, run.now, time);
  const bool ends_message = stream.kind == StreamKind::message && stream.left == bytes;
  run.sources.sent(stream_id, bytes, run.now + time);
  send_from_host(run, link, packet_id);
  if (ends_message) run.message_sent(run.packets[packet_id].flow);
}

/// Sends the first waiting BECN packet if there are credits for it.
template <class Run>
bool send_becn(Run& run, std::uint32_t host, std::uint32_t link) {
  Adapter& adapter = run.adapters[host];
  const std::uint32_t packet_id = adapter.first_becn;
  const Packet& packet = run.packets[packet_id];
  if (!has_credits(run, link, packet.lane, packet.bytes)) return false;
  adapter.first_becn = packet.next;
  send_from_host(run, link, packet_id);
  return true;
}

template <class Run>
void wake_at(Run& run, std::uint32_t host, SimulatedTime time) {
  Adapter& adapter = run.adapters[host];
  if (time >= adapter.wakes) return;
  adapter.wakes = time;
  run.later_by_host(time, SimulatorEventKind::wake, host, 0);
}

/// Lets an adapter with an idle link send a packet, or schedules a wake event for its next packet.
/// O(1) if no stream is delayed, else O(streams of the host).
template <class Run>
void try_host(Run& run, std::uint32_t host) {
  const std::uint32_t link = run.network.from_host(host);
  if (run.network.links[link].busy) return;
  if constexpr (Run::can_lose) {
    if (run.network.links[link].down) return;
  }
  bool blocked = false;
  if (run.adapters[host].first_becn != no_index) {
    if (send_becn(run, host, link)) return;
    blocked = true;
  }
  const std::uint32_t first = run.sources.current(host);
  SimulatedTime soonest = never;
  std::uint32_t at = first;
  while (at != no_index) {
    const Stream& stream = run.sources[at];
    SimulatedTime ready = stream.next;
    if (stream.queue_pair != no_index) {
      ready = std::max(ready, run.control.ready(stream.queue_pair));
    }
    if (ready > run.now) {
      soonest = std::min(soonest, ready);
    } else if (has_credits(run, link, stream.lane, run.sources.packet_bytes(stream))) {
      send_of_stream(run, link, at);
      return;
    } else {
      blocked = true;
    }
    at = stream.ring_next;
    if (at == first) break;
  }
  if (blocked) block(run.network.records[link], run.now);
  if (soonest != never) wake_at(run, host, soonest);
}

}  // namespace pssp
