#pragma once

// Connections that lose packets: what a receiver takes, and what is sent again. As the reliable
// connections of InfiniBand do (InfiniBand architecture 1.3, section 9.7.5): a receiver takes
// packets in their order alone, asks once for the first one that is missing when a later one comes
// (a NAK for a sequence error), and a sender that hears nothing for a time-out sends again what was
// not taken, from the first such packet on. Only of runs whose fabric changes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/network/packet_pool.h"
#include "simulator/simulated_time.h"

namespace pssp {

struct RetryRules {
  SimulatedTime timeout = 500 * picoseconds_per_millisecond;
  unsigned retries = 7;  ///< without anything taken in between; then a connection gives up
};

/// What a run lost, and what became of it.
struct LossCounts {
  std::uint64_t on_links = 0;       ///< packets on links that failed, or waiting for them
  std::uint64_t without_route = 0;  ///< packets at a switch whose entry leads nowhere
  std::uint64_t not_taken = 0;      ///< packets that came out of order, or twice
  std::uint64_t repeats = 0;        ///< times that a message was sent again
  std::uint64_t given_up = 0;       ///< messages whose connection gave up
  SimulatedTime first_lost = never, last_lost = never;  ///< packets; never: none
  SimulatedTime recovered = never;  ///< when the last message that had lost something had it again

  std::uint64_t packets() const noexcept { return on_links + without_route + not_taken; }
};

/// What is sent again.
struct Repeat {
  std::uint32_t first = 0, packets = 0;  ///< the message: Packet::sequence; 0 packets: without end
  std::uint32_t sequence = 0;            ///< from this packet on
  std::uint64_t left = 0;                ///< bytes from there to its end; 0: without end
  std::uint8_t level = 0;
  bool gives_up = false;  ///< it is not sent again: there were too many tries
};

/// Of each flow (its number in RunRecord::flows) the messages that were begun and not taken whole;
/// a static flow is one message. Packets of a flow are numbered over all its messages, modulo 2^32.
/// All O(messages of the flow under way).
class ReliableDelivery {
 public:
  /// ran_out() must be called at `time`, with `sequence`.
  struct Timer {
    SimulatedTime time = 0;
    std::uint32_t sequence = 0;
  };
  /// Of a packet that has come to its receiver.
  struct Reception {
    bool is_taken = false;
    std::optional<std::uint32_t> missing{};  ///< the receiver sends a NAK for this packet
    std::optional<Timer> timer{};
  };

  /// Bytes of a full packet.
  ReliableDelivery(std::uint32_t packet_bytes, const RetryRules& rules)
      : rules_(rules), packet_bytes_(packet_bytes) {}

  /// A message is sent from now on, of so many bytes (0: without end): the number of its first
  /// packet.
  std::uint32_t begun(std::uint32_t flow, std::uint64_t bytes, std::uint8_t level);

  Reception received(const Packet& packet, SimulatedTime now);
  /// A packet is lost; a timer where none is running.
  std::optional<Timer> lost(const Packet& packet, SimulatedTime now);
  /// A NAK for this packet has come to the sender.
  std::optional<Repeat> heard_nak(std::uint32_t flow, std::uint32_t sequence);
  /// A timer has run out: what is to be sent again, or when to look again, or neither.
  std::optional<Repeat> ran_out(std::uint32_t flow, std::uint32_t sequence, SimulatedTime now,
                                std::optional<Timer>& again);

  const LossCounts& counts() const noexcept { return counts_; }
  LossCounts& counts() noexcept { return counts_; }
  std::size_t bytes() const noexcept;

 private:
  struct Message {
    std::uint64_t bytes;               // 0: without end
    std::uint32_t first, packets;      // 0: without end
    std::uint32_t expected;            // the next packet that is taken
    std::uint32_t behind_lost = 0;     // the packet behind the last one that was lost
    SimulatedTime lost_since = never;  // since it was last sent again; never: nothing was
    std::uint32_t tries = 0;           // since a packet was taken
    std::uint8_t level;
    bool lacks = false;  // something up to behind_lost
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
