#pragma once

// A packet goes over a link. `Run` is the state of a run (simulator/run/run_state.h): templates on
// it are inlined into its loop, and switches need not know what else it has.

#include <algorithm>
#include <cstdint>

#include "simulator/kernel/event.h"
#include "simulator/network/network.h"

namespace pssp {

/// A sender that is idle has a packet, and no credits for it.
inline void block(LinkRecord& record, SimulatedTime now) {
  if (record.blocked_since == never) record.blocked_since = now;
}
/// It has credits again, or no packet.
inline void unblock(LinkRecord& record, SimulatedTime now) {
  if (record.blocked_since == never) return;
  record.blocked += now - record.blocked_since;
  record.blocked_since = never;
}

/// The sender was idle; credits have been taken. The packet is where its tail is: it leaves the
/// buffer behind it when link_free comes, and may be forwarded, or has been taken by the host, when
/// arrival or taken comes.
template <class Run>
void launch(Run& run, std::uint32_t link_id, std::uint32_t packet_id) {
  Network& network = run.network;
  Link& link = network.links[link_id];
  Packet& packet = run.packets[packet_id];
  const SimulatedTime time = network.time_of(link, packet.bytes);
  link.busy = true;
  link.sending_lane = packet.lane;
  link.sending_credits = static_cast<std::uint16_t>(credits_of(packet.bytes));
  LinkRecord& record = network.records[link_id];
  record.sent_bytes += packet.bytes;
  unblock(record, run.now);
  run.queue.push(run.now + time, EventKind::link_free, link_id, 0);
  const SimulatedTime tail_in = run.now + time + network.link_delay;
  if (link.to_host) {
    run.queue.push(run.taken_at(link, packet, tail_in), EventKind::taken, link_id, packet_id);
    return;
  }
  packet.out = network.route(link.head, packet.lid);
  const std::uint32_t next = network.out_link[network.switches[link.head].first_port + packet.out];
  SimulatedTime ready = run.now + link.head_in;
  // A faster link would run dry in the middle of the packet.
  if (network.store_and_forward || network.links[next].megabits > link.megabits) {
    ready = std::max(ready, tail_in);
  }
  run.queue.push(ready, EventKind::arrival, link_id, packet_id);
}

/// The receiver of a link has room again; its sender hears of it one link delay later.
template <class Run>
void return_credits(Run& run, std::uint32_t link, std::uint32_t lane, std::uint32_t credits) {
  run.queue.push(run.now + run.network.link_delay, EventKind::credits, link, lane << 24U | credits);
}

}  // namespace pssp
