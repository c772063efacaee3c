#pragma once

// Random numbers that are the same on every platform: the standard fixes the sequence of
// std::mt19937_64, but not what its distributions and std::shuffle make of it.

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace pssp {

/// What random numbers are for. Each purpose draws from a sequence of its own, so that, say,
/// another number of dead switches does not change which random graph they are taken from.
enum class RandomPurpose : std::uint64_t { graph = 1, dead_switches, dead_links, guids };

class Random {
 public:
  Random(std::uint64_t seed, RandomPurpose purpose);

  /// Uniform in [0, bound); bound > 0.
  std::uint64_t below(std::uint64_t bound);

  /// A uniformly random order of 0 .. n - 1.
  std::vector<std::uint32_t> permutation(std::uint32_t n);

 private:
  std::mt19937_64 engine_;
};

}  // namespace pssp
