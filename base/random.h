#pragma once

// Random numbers that are the same on every platform, unlike the standard library's distributions
// and std::shuffle.
//
// New code uses random_stream(seed, purpose, index): each purpose and index has its own sequence,
// so that draws do not affect each other, independent of threads and their number.
//
// The other generators remain because published results depend on them: MersenneRandom in generated
// fabrics, in the search for virtual lanes and for up*/down* orders, SplitMix64 in the noise of
// engine cassp, RandomGenerator with its own streams in the evaluator's patterns. They will be
// replaced when those results are computed again.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace pssp {

/// 2^64 divided by the golden ratio, an odd number: its multiples are spread evenly.
inline constexpr std::uint64_t golden_ratio_64 = 0x9E3779B97F4A7C15;

/// A permutation of the 64-bit numbers that separates neighbors: the finalizer of SplitMix64
/// (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014).
constexpr std::uint64_t mix64(std::uint64_t value) noexcept {
  value = (value ^ (value >> 30U)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27U)) * 0x94D049BB133111EB;
  return value ^ (value >> 31U);
}

/// A number in [0, 1) from a word of 64 random bits; 2^53 values.
constexpr double unit_interval(std::uint64_t word) noexcept {
  return static_cast<double>(word >> 11U) * 0x1p-53;
}

/// SplitMix64: eight bytes of state, the fastest; its sequences of different seeds overlap.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) noexcept : state_(seed) {}
  std::uint64_t operator()() noexcept { return mix64(state_ += golden_ratio_64); }

 private:
  std::uint64_t state_;
};

/// xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021),
/// seeded by SplitMix64 as its authors recommend.
class RandomGenerator {
 public:
  RandomGenerator(std::uint64_t seed, std::uint64_t stream) noexcept {
    // Two rounds of mixing separate streams of one seed, and equal streams of similar seeds.
    std::uint64_t position = mix64(seed + golden_ratio_64) ^ mix64(stream);
    for (std::uint64_t& word : state_) word = mix64(position += golden_ratio_64);
  }

  /// Uniform over all 64-bit values.
  std::uint64_t operator()() noexcept {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  /// Uniform over 0 .. bound - 1, without bias (Lemire, "Fast random integer generation in an
  /// interval", 2019). bound > 0.
  std::uint32_t below(std::uint32_t bound) noexcept {
    std::uint64_t product = scaled(bound);
    if (static_cast<std::uint32_t>(product) < bound) {
      const std::uint32_t surplus = (0U - bound) % bound;
      while (static_cast<std::uint32_t>(product) < surplus) product = scaled(bound);
    }
    return static_cast<std::uint32_t>(product >> 32U);
  }

 private:
  std::uint64_t scaled(std::uint32_t bound) noexcept { return ((*this)() >> 32U) * bound; }

  std::array<std::uint64_t, 4> state_{};
};

/// Sequence `index` of a purpose for a seed.
inline RandomGenerator random_stream(std::uint64_t seed, std::uint64_t purpose,
                                     std::uint64_t index) noexcept {
  return {mix64(seed + golden_ratio_64) ^ mix64(purpose), index};
}

/// std::mt19937_64, whose sequence the standard fixes.
class MersenneRandom {
 public:
  explicit MersenneRandom(std::uint64_t seed) : engine_(seed) {}
  /// A separate sequence for each purpose, also for consecutive seeds.
  MersenneRandom(std::uint64_t seed, std::uint64_t purpose)
      : engine_(mix64(mix64(seed + golden_ratio_64) + purpose + golden_ratio_64)) {}

  void seed(std::uint64_t seed) { engine_.seed(seed); }

  /// Uniform over 0 .. bound - 1, without bias. bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    std::uint64_t drawn = engine_();
    // The incomplete last block of `bound` numbers would make small results likelier.
    if (drawn > std::mt19937_64::max() - bound) {
      const std::uint64_t incomplete = (std::mt19937_64::max() % bound + 1) % bound;
      while (drawn > std::mt19937_64::max() - incomplete) drawn = engine_();
    }
    return drawn % bound;
  }

 private:
  std::mt19937_64 engine_;
};

/// A uniformly random order of the elements (Fisher and Yates; Knuth, TAOCP 2, algorithm 3.4.2P).
/// At most 2^32 elements.
template <class Random, class Element>
void shuffle(std::vector<Element>& elements, Random& random) {
  for (std::size_t i = elements.size(); i > 1; --i) {
    std::swap(elements[i - 1], elements[random.below(static_cast<std::uint32_t>(i))]);
  }
}

/// A uniformly random order of 0 .. n - 1.
template <class Random>
std::vector<std::uint32_t> random_permutation(std::uint32_t n, Random& random) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  shuffle(order, random);
  return order;
}

}  // namespace pssp
