#pragma once

// Random numbers for traffic patterns: xoshiro256** (Blackman and Vigna, "Scrambled linear
// pseudorandom number generators", 2021), seeded through splitmix64 as its authors advise.
//
// Every pattern has a generator of its own, made from (seed, index of the pattern). So pattern 17
// is the same pattern whichever thread draws it, and however many are drawn.

#include <array>
#include <bit>
#include <cstdint>

namespace pssp {

class RandomGenerator {
 public:
  RandomGenerator(std::uint64_t seed, std::uint64_t stream) noexcept {
    // Two rounds of mixing: streams of one seed and the same stream of near seeds start far apart.
    std::uint64_t position = mix(seed + golden_ratio) ^ mix(stream);
    for (std::uint64_t& word : state_) word = mix(position += golden_ratio);
  }

  /// Uniform over all 64-bit values.
  std::uint64_t operator()() noexcept {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
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
    return static_cast<std::uint32_t>(product >> 32);
  }

 private:
  static constexpr std::uint64_t golden_ratio = 0x9E3779B97F4A7C15;

  static constexpr std::uint64_t mix(std::uint64_t value) noexcept {
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
    return value ^ (value >> 31);
  }

  std::uint64_t scaled(std::uint32_t bound) noexcept { return ((*this)() >> 32) * bound; }

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace pssp
