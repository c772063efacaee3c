#pragma once

// Tracks the packets that wait for a port, decides whether it is congested, and marks packets with
// FECN.

#include <cstdint>

#include "congestion/parameters.h"
#include "fabric/fabric.h"
#include "simulator/model.h"
#include "simulator/network/network.h"

namespace pssp {

/// The same for all switches, except the victim mask, which is in Link::victim_mask.
struct MarkingRule {
  bool on = false;
  /// Sixteenths of a credit: a port becomes congested above `begin`, and stays so until below
  /// `end`.
  std::uint64_t begin = 0, end = 0;
  std::uint32_t least_bytes = 0;  ///< smaller packets are never marked
  std::uint32_t each = 1;         ///< one of this many packets is marked
  bool any_root = false;
};

/// Also sets the victim masks of `network`. Parameters outside the set's control map count as 0.
/// Without a set, nothing is marked.
MarkingRule marking_rule(const CongestionParameters* parameters, const Model& model,
                         const Fabric& fabric, Network& network);

/// A packet begins to wait for the link.
inline void wait_for(Network& network, const MarkingRule& rule, std::uint32_t link,
                     const Packet& packet, SimulatedTime now) {
  LaneState& state = network.lane_state(link, packet.lane);
  LinkRecord& record = network.records[link];
  state.waiting += credits_of(packet.bytes);
  record.queue_bytes += packet.bytes;
  if (record.queue_bytes > record.max_queue_bytes) record.max_queue_bytes = record.queue_bytes;
  if (rule.on && !state.congested && 16 * std::uint64_t{state.waiting} > rule.begin) {
    state.congested = true;
    if (record.congested_lanes++ == 0) record.congested_since = now;
  }
}

/// A packet that waited for the link begins to leave; its credits have been taken. Returns whether
/// it is marked with FECN.
inline bool leave_by(Network& network, const MarkingRule& rule, std::uint32_t link,
                     const Packet& packet, SimulatedTime now) {
  LaneState& state = network.lane_state(link, packet.lane);
  LinkRecord& record = network.records[link];
  bool marks = false;
  if (state.congested && !packet.becn && packet.bytes >= rule.least_bytes &&
      (rule.any_root || network.links[link].victim_mask ||
       state.credits >= static_cast<std::int32_t>(network.full_credits)) &&
      ++state.since_mark >= rule.each) {
    state.since_mark = 0;
    marks = true;
  }
  state.waiting -= credits_of(packet.bytes);
  record.queue_bytes -= packet.bytes;
  if (state.congested && 16 * std::uint64_t{state.waiting} < rule.end) {
    state.congested = false;
    if (--record.congested_lanes == 0) record.congested += now - record.congested_since;
  }
  return marks;
}

}  // namespace pssp
