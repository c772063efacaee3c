#pragma once

// The random numbers of made-up fabrics.

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace pssp {

/// What random numbers are for. Each purpose draws from a sequence of its own, so that, say,
/// another number of dead switches does not change which random graph they are taken from.
enum class RandomPurpose : std::uint64_t {
  graph = 1,
  dead_switches,
  dead_links,
  guids,
  ports,
  absent_hosts,
  uneven_hosts,
  mixed_rates,
  half_spines,
  upper_hosts
};

class Random : public MersenneRandom {
 public:
  Random(std::uint64_t seed, RandomPurpose purpose)
      : MersenneRandom(seed, static_cast<std::uint64_t>(purpose)) {}

  /// A uniformly random order of 0 .. n - 1.
  std::vector<std::uint32_t> permutation(std::uint32_t n) { return random_permutation(n, *this); }
};

}  // namespace pssp
