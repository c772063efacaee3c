#include "evaluator/patterns/bisection.h"

#include <numeric>
#include <utility>

#include "base/random.h"

// A split in two halves and a pairing between them are together a perfect matching with a direction
// for each pair, and each such matching arises from exactly one split and one pairing. So the
// matching is drawn directly: the last unpaired port is paired with a random other one, and a
// random bit decides who sends. That takes half the random numbers and half the memory traffic of
// shuffling all end ports.

namespace pssp {

BisectionPattern::BisectionPattern(std::uint32_t endpoints)
    : endpoints_(endpoints), unpaired_(endpoints), flows_(endpoints / 2) {}

std::span<const Flow> BisectionPattern::draw(std::uint64_t seed, std::uint64_t index) {
  RandomGenerator random(seed, index);
  std::iota(unpaired_.begin(), unpaired_.end(), 0U);
  std::uint32_t left = endpoints_;
  if (left % 2 != 0) {
    --left;
    unpaired_[random.below(left + 1)] = unpaired_[left];
  }
  std::uint64_t coins = 0;
  for (std::size_t i = 0; i < flows_.size(); ++i, left -= 2) {
    if (i % 64 == 0) coins = random();
    const std::uint32_t last = unpaired_[left - 1];
    const std::uint32_t chosen = random.below(left - 1);
    const std::uint32_t partner = std::exchange(unpaired_[chosen], unpaired_[left - 2]);
    // A branch on a coin is mispredicted half the time; a mask never is.
    const std::uint32_t swapped = (last ^ partner) & (0U - static_cast<std::uint32_t>(coins & 1));
    coins >>= 1;
    flows_[i] = {last ^ swapped, partner ^ swapped};
  }
  return flows_;
}

}  // namespace pssp
