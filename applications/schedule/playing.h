#pragma once

// What a schedule is played by, and what comes of it.

#include <cstdint>
#include <string>
#include <vector>

namespace pssp {

/// Picoseconds since the start: whole numbers, so that sums do not depend on their order.
using PlayTime = std::int64_t;

/// LogGOPS parameters (A. Alexandrov et al., "LogGP", SPAA 1995; T. Hoefler, T. Schneider,
/// A. Lumsdaine, "LogGOPSim", HPDC 2010), all in picoseconds and >= 0 but the last.
struct MessageCosts {
  PlayTime overhead = 500'000;      ///< o: processor time of a send, of a receive
  PlayTime overhead_per_byte = 0;   ///< O: of a send, for each byte but the first
  PlayTime gap = 0;                 ///< g: between the starts of two sends of an adapter
  PlayTime latency = 700'000;       ///< L: of adapters and software
  PlayTime gap_per_byte = 0;        ///< G: of the network `loggp` alone
  std::uint64_t eager = 16 * 1024;  ///< S: bytes of the largest message that is sent at once
};

struct PlayResult {
  PlayTime time = 0;                ///< when the last operation ended
  std::vector<PlayTime> rank_ends;  ///< when the last operation of each rank ended; 0: it has none
  std::uint64_t operations = 0;     ///< that ended
  /// Operations that never end, "rank 3: receive 8 bytes from 5 tag 0", up to ten; none: all is
  /// done.
  std::vector<std::string> standing_still;
};

}  // namespace pssp
