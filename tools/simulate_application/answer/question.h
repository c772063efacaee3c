#pragma once

// What to simulate, and how: the options of simulate_application except those for input tables and
// outputs.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "applications/schedule/playing.h"
#include "congestion/parameters.h"
#include "simulator/changes/later_states.h"
#include "simulator/model.h"

namespace pssp {

/// Limits of these options.
inline constexpr unsigned most_ranks = 1'000'000, most_seeds = 10'000;

/// Exactly one of `application`, `goal` and `jobs` must be given.
struct ApplicationQuestion {
  std::string application;        ///< NAME,SIZE..
  std::string goal;               ///< file
  std::vector<std::string> jobs;  ///< SPEC@SET
  unsigned ranks = 0;             ///< of an application; 0: all hosts
  std::string ranks_on;           ///< file of hosts; empty: `order`
  std::string order = "switch";   ///< or random
  std::uint64_t seed = 1;         ///< for the random order and random patterns
  unsigned seeds = 1;             ///< for the random order: seed, seed + 1, ..
  double precision = 0;  ///< more seeds until the mean times have this precision; 0: as above
  std::string network = "flows";  ///< or crossbar, loggp
  std::string adaptive = "none";  ///< for packets: none, packet, flow
  std::string groups;             ///< file; empty: all minimal ports
  LinkSharing sharing = LinkSharing::equal;
  std::uint32_t adaptive_busy = 1;     ///< AdaptiveRouting::busy_packets
  Model model;                         ///< for packets; without rates, with default delays
  std::string congestion_set = "off";  ///< for packets, as specified
  std::optional<CongestionParameters> congestion;  ///< that set; none: congestion control is off
  const LaterStates* later = nullptr;  ///< changes of the fabric, for packets; null: none
  MessageCosts costs;
  unsigned ranks_per_host = 1;       ///< at least 1
  bool cyclic = false;               ///< one rank on each host before the second on any
  bool spread = false;               ///< also simulate flows over all minimal paths
  double compute_scale = 1;          ///< factor of the durations of computations; >= 0
  bool critical_path = false;        ///< of each of the tables, in the report
  bool keep_schedule = false;        ///< return all operations, for writing them
  bool first_critical_path = false;  ///< of the first tables, for AnswerListener::simulated
};

}  // namespace pssp
