// Pattern `recdbl` of the ORCS report (section 2.4, figure 2): recursive doubling, as for a
// reduction to all.
//
// In level l ranks whose numbers differ in bit l alone exchange messages. That is for powers of
// two. Of any other number n, ORCS lets the largest power of two p below it do so, and in a last
// level rank i sends to rank p + i, for those that there are. We do the same.
//
// Departures from the report's text: it lets rank k and rank k + 2^l exchange messages when
// ceil(k / 2^l) is even, which must read floor, as its figure 2 shows; and it does so for any n,
// among all ranks, with no level of another kind.

#include <bit>

#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"
#include "evaluator/patterns/rank_arithmetic.h"

namespace pssp {
namespace {

void exchange(std::uint32_t distance, std::uint32_t power, FlowWriter& flows) {
  for (std::uint32_t rank = 0; rank < power; ++rank) {
    if ((rank & distance) != 0) continue;
    flows.add(rank, rank + distance);
    flows.add(rank + distance, rank);
  }
}

std::unique_ptr<Pattern> make_recursive_doubling(const PatternSpec& request,
                                                 std::string_view /*argument*/) {
  const std::uint32_t ranks = request.ranks;
  const auto write = [ranks, power = std::bit_floor(ranks)](std::uint32_t level,
                                                            FlowWriter& flows) {
    const std::uint32_t distance = 1U << level;
    if (distance < power) return exchange(distance, power, flows);
    for (std::uint32_t rank = 0; rank < ranks - power; ++rank) flows.add(rank, rank + power);
  };
  return make_function_pattern(ranks, doublings(ranks), write);
}

}  // namespace

const PatternDescription recdbl_pattern = {
    "recdbl", "",
    "recursive doubling: pairs 1, 2, 4 ... ranks apart exchange, one distance per phase",
    make_recursive_doubling};

}  // namespace pssp
