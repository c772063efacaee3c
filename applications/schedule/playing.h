#pragma once

// What a schedule is simulated by, and what comes of it.

#include <cstdint>
#include <string>
#include <vector>

namespace pssp {

/// Picoseconds since the start: whole numbers, so that sums do not depend on their order.
using ReplayTime = std::int64_t;

/// LogGOPS parameters (A. Alexandrov et al., "LogGP", SPAA 1995; T. Hoefler, T. Schneider,
/// A. Lumsdaine, "LogGOPSim", HPDC 2010), all in picoseconds and >= 0 but the last.
struct MessageCosts {
  ReplayTime overhead = 500'000;     ///< o: processor time of a send, of a receive
  ReplayTime overhead_per_byte = 0;  ///< O: of a send, for each byte but the first
  ReplayTime gap = 0;                ///< g: between the starts of two sends of an adapter
  ReplayTime latency = 700'000;      ///< L: of adapters and software
  ReplayTime gap_per_byte = 0;       ///< G: of the network `loggp` alone
  std::uint64_t eager = 1U << 14U;   ///< S: bytes of the largest message that is sent at once
};

/// How messages share links. `equal`: a message gets capacity / messages of its narrowest link,
/// which is what effective bisection bandwidth and S count. `max_min`: what one cannot use others
/// get (evaluator/flows/max_min_shares.h).
enum class LinkSharing : std::uint8_t { equal, max_min };

/// What a rank did with its processors until its last operation ended.
struct RankUse {
  ReplayTime computing = 0;  ///< of all its processors
  ReplayTime overhead = 0;   ///< of sends and receives
};

struct ReplayResult {
  ReplayTime time = 0;  ///< when the last operation ended
  std::vector<ReplayTime>
      rank_ends;                   ///< when the last operation of each rank ended; 0: it has none
  std::vector<RankUse> rank_uses;  ///< empty without a network
  std::uint64_t operations = 0;    ///< that ended
  /// Messages no larger than the eager limit that crossed links together with another of their
  /// sender: `equal` sharing is too slow for these.
  std::uint64_t eager_together = 0;
  /// Operations that never end, "rank 3: receive 8 bytes from 5 tag 0", up to ten; none: all is
  /// done.
  std::vector<std::string> standing_still;
};

}  // namespace pssp
