#include "topologies/random.h"

#include <numeric>

namespace pssp {
namespace {

// Finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
// 2014): neighbouring seeds and purposes must not give neighbouring generator states.
constexpr std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111eb;
  return x ^ (x >> 31U);
}

}  // namespace

Random::Random(std::uint64_t seed, RandomPurpose purpose)
    : engine_(scramble(scramble(seed) + static_cast<std::uint64_t>(purpose))) {}

std::uint64_t Random::below(std::uint64_t bound) {
  // Numbers of the incomplete last block of `bound` would make small results likelier: draw again.
  const std::uint64_t incomplete = (std::mt19937_64::max() % bound + 1) % bound;
  const std::uint64_t last = std::mt19937_64::max() - incomplete;
  std::uint64_t x = engine_();
  while (x > last) x = engine_();
  return x % bound;
}

std::vector<std::uint32_t> Random::permutation(std::uint32_t n) {
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  for (std::uint32_t i = n; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
  return order;
}

}  // namespace pssp
