#pragma once

// The parameters of the model of links, switches and adapters, besides topology, tables and
// congestion control (congestion/parameters.h).

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/link_rate.h"
#include "simulator/simulated_time.h"

namespace pssp {

/// The meaning of Marking_Rate n.
enum class Marking : std::uint8_t {
  unmarked_between,  ///< n packets between two marked ones: every (n + 1)th is marked
  every_nth,         ///< every max(1, n)th is marked
};

/// Which ports above the threshold are roots of congestion, and therefore mark.
enum class RootTest : std::uint8_t {
  any,      ///< all
  credits,  ///< ports with credits for one more full packet after this one
};

/// When a packet may leave a switch.
enum class Switching : std::uint8_t {
  cut_through,         ///< after its header has arrived; to a faster link: after the whole packet
  store_and_forward,   ///< after the whole packet has arrived
  cut_through_always,  ///< after its header has arrived; a faster link waits for its tail
};

enum class BecnDelivery : std::uint8_t { in_band, ideal };

struct Model {
  std::uint32_t lanes = 1;                  ///< 1 .. 15; level n is sent on lane n modulo `lanes`
  std::vector<std::uint8_t> sl_to_vl;       ///< 16 lanes; empty: level modulo `lanes`
  std::vector<std::uint32_t> lane_weights;  ///< one per lane; empty: all equal
  std::uint32_t buffer_credits = 1000;      ///< of 64 bytes, per lane and receiving port
  std::optional<LinkRate> link_rate, host_rate;  ///< override the rates of the fabric
  SimulatedTime link_delay = 5 * picoseconds_per_nanosecond;
  SimulatedTime switch_delay = 100 * picoseconds_per_nanosecond;
  std::uint32_t speedup = 2;  ///< simultaneous packets out of one input of a switch; 0: no limit
  std::uint32_t host_speedup = 1;  ///< the same at ports to hosts
  Switching switching = Switching::cut_through;
  double sink_rate = 0;  ///< bytes/s that a host takes; 0: the rate of its link
  std::uint32_t becn_bytes = 64;
  SimulatedTime becn_delay = 0;
  BecnDelivery becn = BecnDelivery::in_band;
  Marking marking = Marking::unmarked_between;
  RootTest root = RootTest::credits;
};

}  // namespace pssp
