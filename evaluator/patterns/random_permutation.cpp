// Pattern `rand` of the ORCS report (section 2.4): every rank sends to one rank and receives from
// one, drawn again in every run.
//
// A uniformly random derangement: a permutation without fixed points. A Fisher-Yates shuffle from
// the last position down fixes one position per step; when a position gets its own number, the
// shuffle is restarted. The result is uniform among all derangements, since every permutation is
// equally likely in every attempt. On average this takes (e - 1) n steps (Martinez, Panholzer,
// Prodinger, "Generating random derangements", ANALCO 2008).
//
// Differences: the report permits a rank to send to itself, which loads no link. ORCS avoids it,
// too, but draws the destinations rank by rank and corrects the last one, so that some derangements
// are likelier than others.

#include <numeric>
#include <utility>
#include <vector>

#include "evaluator/patterns/descriptions.h"

namespace pssp {
namespace {

/// Shuffles the permutation; returns false at the first fixed point.
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
    // Each attempt can begin with the permutation that the previous attempt left.
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
