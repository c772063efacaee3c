#pragma once

// The values of the model: what a run supposes of links, switches and adapters, beside topology,
// tables and the parameters of congestion control (congestion/parameters.h).

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/link_rate.h"
#include "simulator/simulated_time.h"

namespace pssp {

/// What Marking_Rate n means.
enum class Marking : std::uint8_t {
  unmarked_between,  ///< n packets stay unmarked between two marked ones: every (n + 1)th is
  every_nth,         ///< every max(1, n)th is marked
};

/// Which ports above the threshold are roots of congestion, and so mark.
enum class RootTest : std::uint8_t {
  any,      ///< all
  credits,  ///< those that have credits for one more full packet after this one
};

/// When a packet may leave a switch.
enum class Switching : std::uint8_t {
  cut_through,         ///< once its header is in; by a faster link: once all of it is
  store_and_forward,   ///< once all of it is in
  cut_through_always,  ///< once its header is in; a faster link then waits for its tail
};

enum class BecnDelivery : std::uint8_t { in_band, ideal };

struct Model {
  std::uint32_t lanes = 1;                  ///< 1 .. 15; level n is sent on lane n modulo `lanes`
  std::vector<std::uint8_t> sl_to_vl;       ///< 16 lanes; empty: by the rule above
  std::vector<std::uint32_t> lane_weights;  ///< one for each lane; empty: all equal
  std::uint32_t buffer_credits = 1000;      ///< of 64 bytes, for each lane of each receiving port
  std::optional<LinkRate> link_rate, host_rate;  ///< instead of what the fabric says
  SimulatedTime link_delay = 5 * picoseconds_per_nanosecond;
  SimulatedTime switch_delay = 100 * picoseconds_per_nanosecond;
  std::uint32_t speedup = 2;  ///< packets that leave one input of a switch at once; 0: no limit
  std::uint32_t host_speedup = 1;  ///< the same at ports to hosts
  Switching switching = Switching::cut_through;
  double sink_rate = 0;  ///< bytes/s that a host takes; 0: as fast as its link
  std::uint32_t becn_bytes = 64;
  SimulatedTime becn_delay = 0;
  BecnDelivery becn = BecnDelivery::in_band;
  Marking marking = Marking::unmarked_between;
  RootTest root = RootTest::credits;
};

}  // namespace pssp
