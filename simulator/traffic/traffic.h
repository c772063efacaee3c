#pragma once

// The traffic of a run: senders, receivers, sizes and times as plain values. Traffic files,
// patterns and scenarios are converted to it, and the adapters' sources send it. Hosts are ranks:
// positions in Fabric::endpoints().

#include <cstdint>
#include <string>
#include <vector>

#include "evaluator/patterns/flow.h"
#include "simulator/simulated_time.h"

namespace pssp {

/// When the packets of a source are created.
enum class Arrivals : std::uint8_t {
  backlogged,  ///< always: as fast as link and congestion control permit
  regular,     ///< at equal distances, with `rate` of the link's data rate
  poisson,     ///< the same mean rate, with exponentially distributed distances
};

/// One host sends to another.
struct StaticFlow {
  Flow hosts;
  SimulatedTime start = 0, stop = never;
  Arrivals arrivals = Arrivals::backlogged;
  double rate = 1;                ///< share of the sender's link, (0, 1]; ignored if backlogged
  std::uint8_t level = 0;         ///< service level 0 .. 15
  std::uint16_t path = 0;         ///< added to the destination's base LID, below its 2^LMC
  std::uint64_t bytes = 0;        ///< total size; 0: endless
  SimulatedTime on = 0, off = 0;  ///< sends for `on`, is silent for `off`; both 0: no pauses
  std::string label;
  bool victim = false;  ///< reports list it as one
};

/// Each sender sends messages, each to a random host in `destinations` other than itself.
struct UniformTraffic {
  std::vector<std::uint32_t> senders;       ///< ranks, ascending
  std::vector<std::uint32_t> destinations;  ///< ranks, ascending; two at least
  SimulatedTime start = 0, stop = never;
  Arrivals arrivals = Arrivals::backlogged;  ///< of messages
  double rate = 1;
  std::uint8_t level = 0;
  std::uint32_t message_packets = 12;  ///< length of a message
  std::uint32_t messages = 1;          ///< concurrent messages per sender
};

/// Rounds of flows of `bytes` each; a round begins when the previous one has arrived completely.
struct RoundTraffic {
  std::vector<std::vector<Flow>> rounds;
  std::uint64_t bytes = 0;  ///< > 0
  SimulatedTime start = 0;
  std::uint8_t level = 0;
  std::string label;
};

/// A message with a start time.
struct TracedMessage {
  SimulatedTime time = 0;
  Flow hosts;
  std::uint64_t bytes = 0;  ///< > 0
  std::uint8_t level = 0;
};

/// Range of the size of a full packet, which is stored in 16 bits.
inline constexpr std::uint32_t least_packet_bytes = 64;
inline constexpr std::uint32_t most_packet_bytes = 65535;

struct Traffic {
  SimulatedTime duration = 10 * picoseconds_per_millisecond;  ///< > 0
  SimulatedTime warmup = 0;                                   ///< excluded from means; < duration
  SimulatedTime sample = picoseconds_per_millisecond / 10;    ///< > 0
  std::uint32_t packet_bytes = 2176;  ///< size of a full packet including headers
  std::vector<StaticFlow> flows;
  std::vector<UniformTraffic> uniform;
  std::vector<RoundTraffic> rounds;
  std::vector<TracedMessage> trace;  ///< ascending by time
};

}  // namespace pssp
