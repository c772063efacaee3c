#pragma once

// Connections that lose packets: which packets a receiver takes, and which are repeated. As in the
// reliable connections of InfiniBand (InfiniBand architecture 1.3, section 9.7.5), a receiver takes
// packets only in order, and requests the first missing one once when a later one arrives (a NAK
// for a sequence error); after a time-out, a sender repeats all packets from the first one not
// taken. Only for runs whose fabric changes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/network/packet_pool.h"
#include "simulator/simulated_time.h"

namespace pssp {

struct RetryRules {
  SimulatedTime timeout = 500 * picoseconds_per_millisecond;
  unsigned retries = 7;  ///< tries without progress until a connection gives up
};

/// The losses of a run and their consequences.
struct LossCounts {
  std::uint64_t on_links = 0;       ///< packets on or waiting for links that failed
  std::uint64_t without_route = 0;  ///< packets at a switch without a route
  std::uint64_t not_taken = 0;      ///< packets that arrived out of order or twice
  std::uint64_t repeats = 0;        ///< number of repetitions of messages
  std::uint64_t given_up = 0;       ///< messages whose connection gave up
  SimulatedTime first_lost = never, last_lost = never;  ///< times of packet losses; never: none
  SimulatedTime recovered = never;  ///< when the last message with losses was complete

  std::uint64_t packets() const noexcept { return on_links + without_route + not_taken; }
};

/// A repetition.
struct Repeat {
  std::uint32_t first = 0, packets = 0;  ///< the message: Packet::sequence; packets 0: endless
  std::uint32_t sequence = 0;            ///< first repeated packet
  std::uint64_t left = 0;                ///< bytes from there to the end; 0: endless
  std::uint8_t level = 0;
  bool gives_up = false;  ///< not repeated, after too many tries
};

/// The messages of each flow (index in RunRecord::flows) that are begun and not completely taken; a
/// static flow is one message. Packets of a flow are numbered over all its messages, modulo 2^32.
/// All functions: O(messages of the flow in flight).
class ReliableDelivery {
 public:
  /// The caller must call ran_out() at `time`, with `sequence`.
  struct Timer {
    SimulatedTime time = 0;
    std::uint32_t sequence = 0;
  };
  /// The result of a packet's arrival at its receiver.
  struct Reception {
    bool is_taken = false;
    std::optional<std::uint32_t> missing{};  ///< the receiver sends a NAK for this packet
    std::optional<Timer> timer{};
  };

  /// Bytes of a full packet.
  ReliableDelivery(std::uint32_t packet_bytes, const RetryRules& rules)
      : rules_(rules), packet_bytes_(packet_bytes) {}

  /// A message of `bytes` (0: endless) is sent from now on. Returns the number of its first packet.
  std::uint32_t begun(std::uint32_t flow, std::uint64_t bytes, std::uint8_t level);

  Reception received(const Packet& packet, SimulatedTime now);
  /// A packet is lost. Returns a timer if none is running.
  std::optional<Timer> lost(const Packet& packet, SimulatedTime now);
  /// A NAK for this packet arrives at the sender.
  std::optional<Repeat> heard_nak(std::uint32_t flow, std::uint32_t sequence);
  /// A timer expires. Returns what to repeat, or sets `again` to the next timer, or neither.
  std::optional<Repeat> ran_out(std::uint32_t flow, std::uint32_t sequence, SimulatedTime now,
                                std::optional<Timer>& again);

  const LossCounts& counts() const noexcept { return counts_; }
  LossCounts& counts() noexcept { return counts_; }
  std::size_t bytes() const noexcept;

 private:
  struct Message {
    std::uint64_t bytes;               // 0: endless
    std::uint32_t first, packets;      // packets 0: endless
    std::uint32_t expected;            // the next packet to be taken
    std::uint32_t behind_lost = 0;     // the packet after the last lost one
    SimulatedTime lost_since = never;  // since the last repetition; never: no loss
    std::uint32_t tries = 0;           // since the last packet was taken
    std::uint8_t level;
    bool lacks = false;  // packets before behind_lost are missing
    bool has_asked = false, has_timer = false;
  };
  struct Connection {
    std::vector<Message> messages;
    std::uint32_t next_first = 0;
  };

  Message* find(std::uint32_t flow, std::uint32_t sequence);
  std::uint32_t packets_of(std::uint64_t bytes) const noexcept;
  std::optional<Timer> lack(const Packet& packet, SimulatedTime now, Message& message);
  Repeat repeat(std::uint32_t flow, Message& message);

  RetryRules rules_;
  std::uint32_t packet_bytes_;
  std::vector<Connection> connections_;  // by flow
  LossCounts counts_;
};

}  // namespace pssp
