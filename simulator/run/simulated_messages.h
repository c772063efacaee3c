#pragma once

// The messages that a player has begun, and their deliveries.

#include <cstdint>
#include <vector>

#include "base/no_index.h"
#include "fabric/tables/service_levels.h"
#include "simulator/adaptive/port_choice.h"
#include "simulator/network/packet_pool.h"

namespace pssp {

/// Owner of the pairs of hosts between which a player sends (FlowRecord::owner): one per service
/// level, because messages of different levels can overtake each other.
constexpr std::uint32_t owner_of_simulated(std::uint8_t level) { return no_index - 1 - level; }
constexpr bool is_simulated(std::uint32_t owner) {
  return owner != no_index && owner >= owner_of_simulated(service_level_count - 1);
}

/// Messages between two hosts are sent one after the other, and their packets are numbered over all
/// of them (Packet::sequence, modulo 2^32): so each arriving packet can be assigned to its message,
/// even if packets overtake each other. All functions: O(1), except for allocation and for several
/// messages of a pair in flight.
class SimulatedMessages {
 public:
  struct Deliveries {
    std::uint32_t message = 0;
    bool has_arrived = false;  ///< false: its last packet is being sent
  };

  /// A message of `bytes` from the hosts of `flow` begins, in packets of `packet_bytes`. Returns
  /// the number of its first packet.
  std::uint32_t begun(std::uint32_t flow, std::uint32_t message, std::uint64_t bytes,
                      std::uint32_t packet_bytes) {
    if (pairs_.size() <= flow) pairs_.resize(std::size_t{flow} + 1);
    Pair& pair = pairs_[flow];
    const std::uint32_t first = pair.next_sequence;
    const auto packets = static_cast<std::uint32_t>((bytes + packet_bytes - 1) / packet_bytes);
    pair.next_sequence += packets;
    pair.messages.push_back({bytes, message, first, packets, {}});
    return first;
  }
  /// The last packet of the flow's newest message begins to leave.
  void sent(std::uint32_t flow) {
    deliveries_.push_back({pairs_[flow].messages.back().number, false});
  }
  /// A packet of a flow has arrived.
  void took(const Packet& packet) {
    Pair& pair = pairs_[packet.flow];
    ++taken_;
    if (static_cast<std::int32_t>(packet.sequence - pair.latest) < 0) {
      ++overtaken_;
    } else {
      pair.latest = packet.sequence;
    }
    Message& message = pair.of(packet.sequence);
    message.left -= packet.bytes;
    if (message.left != 0) return;
    deliveries_.push_back({message.number, true});
    while (pair.first < pair.messages.size() && pair.messages[pair.first].left == 0) ++pair.first;
    if (pair.first < pair.messages.size()) return;
    pair.messages.clear();
    pair.first = 0;
  }
  /// The port choices of the message of a packet in flight (port_choice.h).
  std::vector<KeptPort>& kept_ports(std::uint32_t flow, std::uint32_t sequence) {
    return pairs_[flow].of(sequence).kept;
  }

  /// Packets that have arrived, and how many of them arrived after a packet that the same host had
  /// sent later to the same host.
  std::uint64_t taken() const noexcept { return taken_; }
  std::uint64_t overtaken() const noexcept { return overtaken_; }

  bool has_deliveries() const noexcept { return next_ < deliveries_.size(); }
  /// Removes and returns the oldest events; there must be one.
  Deliveries take_events() {
    const Deliveries events = deliveries_[next_++];
    if (next_ == deliveries_.size()) {
      deliveries_.clear();
      next_ = 0;
    }
    return events;
  }

 private:
  struct Message {
    std::uint64_t left;  // bytes left; 0: it has arrived
    std::uint32_t number, first_sequence, packets;
    std::vector<KeptPort> kept;
  };
  struct Pair {
    std::vector<Message> messages;
    std::size_t first = 0;  // first message that has not arrived
    std::uint32_t next_sequence = 0, latest = 0;

    Message& of(std::uint32_t sequence) {
      std::size_t i = first;
      while (sequence - messages[i].first_sequence >= messages[i].packets) ++i;
      return messages[i];
    }
  };

  std::vector<Pair> pairs_;  // by flow
  std::vector<Deliveries> deliveries_;
  std::size_t next_ = 0;
  std::uint64_t taken_ = 0, overtaken_ = 0;
};

}  // namespace pssp
