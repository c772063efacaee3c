// Pattern `rand` of the ORCS report (section 2.4): every rank sends to one rank and receives from
// one, drawn again in every run.
//
// A uniformly random derangement: a permutation in which no one sends to itself.
//
// A Fisher-Yates shuffle from the last place down settles one place for good in each step. As soon
// as a place gets its own number, the shuffle is given up and begun again; what gets through is
// uniform among all derangements, since every permutation is equally likely in every attempt. On
// average that costs (e - 1) n steps (Martinez, Panholzer, Prodinger, "Generating random
// derangements", ANALCO 2008).
//
// Departures: the report allows a rank to send to itself, which loads no link. ORCS avoids that as
// we do, but it draws the destinations rank by rank and repairs the last one, so that some
// derangements are likelier than others.

#include <numeric>
#include <utility>
#include <vector>

#include "evaluator/patterns/descriptions.h"

namespace pssp {
namespace {

/// Shuffles the permutation; false as soon as it has a fixed point.
bool shuffle_without_fixed_point(std::vector<std::uint32_t>& permutation, RandomGenerator& random) {
  for (auto last = static_cast<std::uint32_t>(permutation.size()); last-- > 0;) {
    std::swap(permutation[last], permutation[random.below(last + 1)]);
    if (permutation[last] == last) return false;
  }
  return true;
}

class RandomPermutation final : public Pattern {
 public:
  explicit RandomPermutation(std::uint32_t ranks) : ranks_(ranks) {}

  std::uint32_t level_count() const override { return ranks_ < 2 ? 0 : 1; }
  void write_level(std::uint32_t /*level*/, RandomGenerator random,
                   FlowWriter& flows) const override {
    // A failed attempt leaves a permutation behind, and any one will do to begin with.
    std::vector<std::uint32_t> destination(ranks_);
    std::iota(destination.begin(), destination.end(), 0U);
    while (!shuffle_without_fixed_point(destination, random)) continue;
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) flows.add(rank, destination[rank]);
  }
  std::uint32_t observed_ranks() const override { return ranks_; }

 private:
  std::uint32_t ranks_;
};

std::unique_ptr<Pattern> make_random_permutation(const PatternSpec& request,
                                                 std::string_view /*argument*/) {
  return std::make_unique<RandomPermutation>(request.ranks);
}

}  // namespace

const PatternDescription rand_pattern = {
    "rand", "", "random permutation: every rank sends to one rank and receives from one",
    make_random_permutation};

}  // namespace pssp
