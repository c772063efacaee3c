#pragma once

// The random numbers of generated fabrics.

#include <cstdint>
#include <vector>

#include "base/random.h"

namespace pssp {

/// The purpose of random numbers. Each purpose has a separate sequence, so that, for example, the
/// number of dead switches does not change the random graph.
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
