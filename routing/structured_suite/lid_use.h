#pragma once

// How traffic uses the LIDs of a port that has several (LMC > 0).

#include <algorithm>
#include <cstdint>

namespace pssp {

/// What a flow gets that is sent in equal parts to several LIDs of its destination.
enum class Striping : std::uint8_t {
  slowest,  ///< the last part decides: all of it waits for the most congested way
  free,     ///< parts are as large as their paths carry: the mean over the paths
};

struct LidUse {
  /// So many LIDs of the destination, each with an equal part of the flow; ports with fewer LIDs
  /// use all of theirs. At least 1: the base LID alone.
  unsigned lids = 1;
  Striping striping = Striping::slowest;
};

/// "slowest", "free"
constexpr const char* word_for(Striping striping) {
  return striping == Striping::slowest ? "slowest" : "free";
}

/// LIDs of a port with this LMC that are used: the base LID at least.
constexpr std::uint32_t lids_in_use(const LidUse& use, unsigned lmc) {
  const std::uint32_t own = std::uint32_t{1} << lmc;
  return use.lids == 0 ? 1 : std::min<std::uint32_t>(use.lids, own);
}

/// Into so many units a flow is divided, so that an equal part for each LID is a whole number of
/// them, however many LIDs ports have: the least common multiple of `lids` and of the powers of two
/// below. 1 for none.
constexpr std::uint64_t units_of_a_flow(unsigned lids) {
  if (lids == 0) return 1;
  std::uint64_t power = 1;
  while (power * 2 <= lids) power *= 2;
  std::uint64_t odd = lids;
  while (odd % 2 == 0) odd /= 2;
  return power * odd;
}

}  // namespace pssp
