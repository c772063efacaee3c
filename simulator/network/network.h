#pragma once

// The network of a run in flat arrays: links, the state of their senders and receivers, and
// switches with their queues.
//
// A link is one direction of a cable. Links are numbered: the fabric's channels, then for each rank
// the link from its switch, then for each rank the link to its switch. The sender of a link is the
// output port at its tail, its receiver the input buffer at its head, so that one number identifies
// both. Inputs and outputs of a switch have positions 0 .. ports - 1, by ascending port number; an
// input and an output with equal positions are the two directions of one cable.

#include <cstdint>
#include <vector>

#include "base/no_index.h"
#include "simulator/model.h"
#include "simulator/network/packet_pool.h"

namespace pssp {

struct Link {
  SimulatedTime full_time = 0;           ///< of a full packet
  SimulatedTime head_in = 0;             ///< from the start of sending until a switch may forward
  SimulatedTime tail_in = 0;             ///< when the tail of the last packet sent has arrived
  std::uint32_t last_packet = no_index;  ///< last packet sent
  std::uint32_t megabits = 0;            ///< per second
  std::uint32_t tail = 0, head = 0;      ///< switch; for links from and to hosts: rank
  std::uint32_t from = no_index;  ///< link whose buffer the packet leaves; none: an adapter's
  std::uint32_t lane_left = 0;    ///< packets that `lane_now` may still send in its turn
  std::uint16_t sending_credits = 0;
  std::uint8_t sending_lane = 0;
  std::uint8_t out = 0, in = 0;  ///< positions at its tail and head
  std::uint8_t lane_now = 0;
  bool from_host = false, to_host = false;
  bool busy = false;
  bool down = false;         ///< failed
  bool victim_mask = false;  ///< marks even if it is a victim, not the root, of congestion
};
static_assert(sizeof(Link) <= 64);

/// For a link and a lane.
struct LaneState {
  std::int32_t credits = 0;      ///< of the sender
  std::uint32_t waiting = 0;     ///< waiting packets in credits, over all inputs
  std::uint32_t since_mark = 0;  ///< packets eligible for marking since the last marked one
  std::uint8_t next_input = 0;   ///< next in round-robin order
  bool congested = false;
};

/// Counts of the sender of a link in the measured time.
struct LinkRecord {
  std::uint64_t sent_bytes = 0, marks = 0;
  SimulatedTime congested = 0, congested_since = 0;
  SimulatedTime blocked = 0, blocked_since = never;  ///< never: not blocked
  std::uint32_t queue_bytes = 0, max_queue_bytes = 0;
  std::uint32_t congested_lanes = 0;
};

struct PacketQueue {
  std::uint32_t first = no_index, last = no_index;
};

struct SwitchPorts {
  std::uint32_t first_port = 0;   ///< index into arrays by port
  std::uint32_t first_queue = 0;  ///< index into `queues`
  std::uint32_t ports = 0;
};

inline constexpr std::uint8_t no_position = 0xFF;

struct Network {
  std::uint32_t lanes = 1, words = 1;  ///< words: 64-bit words per port mask
  std::uint32_t packet_bytes = 0, full_credits = 0, buffer_credits = 0;
  std::uint32_t hosts = 0, channels = 0;
  SimulatedTime link_delay = 0;
  bool has_one_rate = true;  ///< whether all links have the same rate
  Switching switching = Switching::cut_through;
  std::vector<std::uint32_t> lane_weights;

  std::vector<Link> links;
  std::vector<LaneState> lane_states;  ///< [link * lanes + lane]
  std::vector<LinkRecord> records;     ///< [link]

  std::vector<SwitchPorts> switches;
  std::vector<std::uint32_t> out_link, in_link;     ///< by port
  std::vector<std::uint8_t> reading, most_reading;  ///< by port: packets leaving the input; limit
  std::vector<std::uint8_t> next_output;            ///< by port: of the input's round-robin
  std::vector<PacketQueue> queues;  ///< [first_queue + (output * lanes + lane) * ports + input]
  /// Masks of `words` words.
  std::vector<std::uint64_t> inputs_waiting;   ///< [(port of the output * lanes + lane) * words]
  std::vector<std::uint64_t> outputs_waiting;  ///< [port of the input * words], any lane
  std::vector<std::uint64_t> readable;   ///< [switch * words]: inputs that another packet may leave
  std::vector<std::uint64_t> grantable;  ///< [switch * words]: idle outputs with credits

  std::size_t width = 0;  ///< LIDs per row of `routes`
  std::vector<std::uint8_t>
      routes;  ///< [switch * width + LID]: position of the output, or no_position

  std::uint32_t to_host(std::uint32_t rank) const noexcept { return channels + rank; }
  std::uint32_t from_host(std::uint32_t rank) const noexcept { return channels + hosts + rank; }
  LaneState& lane_state(std::uint32_t link, std::uint32_t lane) noexcept {
    return lane_states[std::size_t{link} * lanes + lane];
  }
  const LaneState& lane_state(std::uint32_t link, std::uint32_t lane) const noexcept {
    return lane_states[std::size_t{link} * lanes + lane];
  }
  std::uint8_t route(std::uint32_t node, std::uint16_t lid) const noexcept {
    return routes[node * width + lid];
  }
  PacketQueue& queue(const SwitchPorts& at, std::uint32_t input, std::uint32_t output,
                     std::uint32_t lane) noexcept {
    return queues[at.first_queue + (output * lanes + lane) * at.ports + input];
  }
  const PacketQueue& queue(const SwitchPorts& at, std::uint32_t input, std::uint32_t output,
                           std::uint32_t lane) const noexcept {
    return queues[at.first_queue + (output * lanes + lane) * at.ports + input];
  }
  /// The time of `bytes` on a link, rounded to a picosecond.
  SimulatedTime time_of(const Link& link, std::uint32_t bytes) const noexcept {
    if (bytes == packet_bytes) return link.full_time;
    return rounded_time(bytes, link.megabits);
  }
  static SimulatedTime rounded_time(std::uint64_t bytes, std::uint32_t megabits) noexcept {
    return static_cast<SimulatedTime>((bytes * 8'000'000 + megabits / 2) / megabits);
  }
  std::size_t bytes() const noexcept;
};

}  // namespace pssp
