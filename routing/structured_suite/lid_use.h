#pragma once

// How traffic uses the LIDs of a port with several LIDs (LMC > 0).

#include <algorithm>
#include <cstdint>

namespace pssp {

/// The bandwidth of a flow that is sent in equal parts to several LIDs of its destination.
enum class Striping : std::uint8_t {
  slowest,  ///< the flow ends with its last part, on the most congested path
  free,     ///< parts are as large as their paths permit: the mean over the paths
};

struct LidUse {
  /// Number of LIDs of the destination that each get an equal part of the flow; a port with fewer
  /// LIDs uses all of its LIDs. At least 1: only the base LID.
  unsigned lids = 1;
  Striping striping = Striping::slowest;
};

/// "slowest", "free"
constexpr const char* word_for(Striping striping) {
  return striping == Striping::slowest ? "slowest" : "free";
}

/// Number of used LIDs of a port with this LMC: at least the base LID.
constexpr std::uint32_t lids_in_use(const LidUse& use, unsigned lmc) {
  const std::uint32_t own = std::uint32_t{1} << lmc;
  return use.lids == 0 ? 1 : std::min<std::uint32_t>(use.lids, own);
}

/// Number of units of a flow: the least common multiple of `lids` and the smaller powers of two.
/// The part of each LID is then a whole number of units for any number of LIDs of a port. 1 if
/// `lids` is 0.
constexpr std::uint64_t units_of_a_flow(unsigned lids) {
  if (lids == 0) return 1;
  std::uint64_t power = 1;
  while (power * 2 <= lids) power *= 2;
  std::uint64_t odd = lids;
  while (odd % 2 == 0) odd /= 2;
  return power * odd;
}

}  // namespace pssp
