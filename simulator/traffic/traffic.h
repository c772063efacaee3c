#pragma once

// What is sent in a run, by whom, to whom and when; plain values. A traffic file, a pattern or a
// scenario is turned into it, and the adapters' sources play it. Hosts are ranks: positions in
// Fabric::endpoints().

#include <cstdint>
#include <string>
#include <vector>

#include "evaluator/patterns/flow.h"
#include "simulator/simulated_time.h"

namespace pssp {

/// When packets of a source become ready to be sent.
enum class Arrivals : std::uint8_t {
  backlogged,  ///< always: as fast as the link and congestion control let it
  regular,     ///< at equal distances, `rate` of the link's data rate
  poisson,     ///< the same in the mean, at exponentially distributed distances
};

/// One host sends to one other.
struct StaticFlow {
  Flow hosts;
  SimulatedTime start = 0, stop = never;
  Arrivals arrivals = Arrivals::backlogged;
  double rate = 1;                ///< of the sender's link, (0, 1]; not of backlogged flows
  std::uint8_t level = 0;         ///< service level 0 .. 15
  std::uint16_t path = 0;         ///< added to the destination's base LID, below its 2^LMC
  std::uint64_t bytes = 0;        ///< ends when so many have been sent; 0: never
  SimulatedTime on = 0, off = 0;  ///< sends for `on`, is silent for `off`; both 0: no pauses
  std::string label;
  bool victim = false;  ///< reports list it as one
};

/// Each sender sends messages, each to a host drawn uniformly from `destinations` (never itself).
struct UniformTraffic {
  std::vector<std::uint32_t> senders;       ///< ranks, ascending
  std::vector<std::uint32_t> destinations;  ///< ranks, ascending; two at least
  SimulatedTime start = 0, stop = never;
  Arrivals arrivals = Arrivals::backlogged;  ///< of messages
  double rate = 1;
  std::uint8_t level = 0;
  std::uint32_t message_packets = 12;  ///< between two choices of a destination
  std::uint32_t messages = 1;          ///< under way at once at a sender
};

/// Rounds of flows, each `bytes` long; a round begins when all of the one before has arrived.
struct RoundTraffic {
  std::vector<std::vector<Flow>> rounds;
  std::uint64_t bytes = 0;  ///< > 0
  SimulatedTime start = 0;
  std::uint8_t level = 0;
  std::string label;
};

/// A message at a time.
struct TracedMessage {
  SimulatedTime time = 0;
  Flow hosts;
  std::uint64_t bytes = 0;  ///< > 0
  std::uint8_t level = 0;
};

/// Bytes of a full packet; its length is counted in 16 bits.
inline constexpr std::uint32_t least_packet_bytes = 64;
inline constexpr std::uint32_t most_packet_bytes = 65535;

struct Traffic {
  SimulatedTime duration = 10 * picoseconds_per_millisecond;  ///< > 0
  SimulatedTime warmup = 0;                                   ///< not in means; < duration
  SimulatedTime sample = picoseconds_per_millisecond / 10;    ///< > 0
  std::uint32_t packet_bytes = 2176;  ///< of a full packet, all headers included
  std::vector<StaticFlow> flows;
  std::vector<UniformTraffic> uniform;
  std::vector<RoundTraffic> rounds;
  std::vector<TracedMessage> trace;  ///< ascending by time
};

}  // namespace pssp
