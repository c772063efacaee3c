#pragma once

// What is simulated, and how: the options of simulate_application that say neither where the tables
// are nor where the answer goes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "applications/schedule/playing.h"
#include "congestion/parameters.h"
#include "simulator/changes/later_states.h"
#include "simulator/model.h"

namespace pssp {

/// What may be asked for at most.
inline constexpr unsigned most_ranks = 1'000'000, most_seeds = 10'000;

/// One of `application`, `goal` and `jobs` is given.
struct ApplicationQuestion {
  std::string application;        ///< NAME,SIZE..
  std::string goal;               ///< file
  std::vector<std::string> jobs;  ///< SPEC@SET
  unsigned ranks = 0;             ///< of an application; 0: all hosts
  std::string ranks_on;           ///< file of hosts; empty: `order`
  std::string order = "switch";   ///< or random
  std::uint64_t seed = 1;         ///< of the random order, and of patterns drawn by chance
  unsigned seeds = 1;             ///< of the random order: seed, seed + 1, ..
  double precision = 0;           ///< seeds until the mean times are known so well; 0: as above
  std::string network = "flows";  ///< or crossbar, loggp
  std::string adaptive = "none";  ///< of packets: none, packet, flow
  std::string groups;             ///< file; empty: all minimal ports
  LinkSharing sharing = LinkSharing::equal;
  std::uint32_t adaptive_busy = 1;     ///< AdaptiveRouting::busy_packets
  Model model;                         ///< of packets; its rates are none, its delays the defaults
  std::string congestion_set = "off";  ///< of packets, as it was asked for
  std::optional<CongestionParameters> congestion;  ///< that set; none: congestion control is off
  const LaterStates* later = nullptr;  ///< changes of the fabric, of packets; null: it stays
  MessageCosts costs;
  unsigned ranks_per_host = 1;       ///< at least 1
  bool cyclic = false;               ///< of these one on each host before the second on any
  bool spread = false;               ///< play flows over all minimal paths, too
  double compute_scale = 1;          ///< computations last so many times as long; >= 0
  bool critical_path = false;        ///< of each of the tables, in the report
  bool keep_schedule = false;        ///< all operations in the answer, for who writes them
  bool first_critical_path = false;  ///< of the first tables, for AnswerListener::simulated
};

}  // namespace pssp
