#pragma once

// Parameters and results of a simulated schedule.

#include <cstdint>
#include <string>
#include <vector>

namespace pssp {

/// Picoseconds since the start: integers, so that sums do not depend on their order.
using ReplayTime = std::int64_t;

/// LogGOPS parameters (A. Alexandrov et al., "LogGP", SPAA 1995; T. Hoefler, T. Schneider, A.
/// Lumsdaine, "LogGOPSim", HPDC 2010), in picoseconds and >= 0, except the last.
struct MessageCosts {
  ReplayTime overhead = 500'000;     ///< o: processor time of a send or receive
  ReplayTime overhead_per_byte = 0;  ///< O: for a send, per byte after the first
  ReplayTime gap = 0;                ///< g: between the starts of two sends of an adapter
  ReplayTime latency = 700'000;      ///< L: of adapters and software
  ReplayTime gap_per_byte = 0;       ///< G: only for the network `loggp`
  std::uint64_t eager =
      1U << 14U;  ///< S: largest size of a message that is sent immediately, in bytes
};

/// How messages share links. `equal`: a message gets capacity / messages of its narrowest link, as
/// in effective bisection bandwidth and S. `max_min`: other messages get what one cannot use
/// (evaluator/flows/max_min_shares.h).
enum class LinkSharing : std::uint8_t { equal, max_min };

/// The use of a rank's processors until its last operation ended.
struct RankUse {
  ReplayTime computing = 0;  ///< sum over its processors
  ReplayTime overhead = 0;   ///< of sends and receives
};

struct ReplayResult {
  ReplayTime time = 0;                ///< end of the last operation
  std::vector<ReplayTime> rank_ends;  ///< end of the last operation of each rank; 0: it has none
  std::vector<RankUse> rank_uses;     ///< empty without a network
  std::uint64_t operations = 0;       ///< number of ended operations
  /// Messages within the eager limit that shared links with another message of their sender:
  /// `equal` sharing is too slow for these.
  std::uint64_t eager_together = 0;
  /// Up to ten operations that never end, "rank 3: receive 8 bytes from 5 tag 0"; empty: all have
  /// ended.
  std::vector<std::string> standing_still;
};

}  // namespace pssp
