// Pattern `recdbl` of the ORCS report (section 2.4, figure 2): recursive doubling, as for an
// all-reduce.
//
// In level l, ranks whose numbers differ only in bit l exchange messages, for powers of two. For
// other numbers n, as in ORCS, only the ranks below the largest power of two p do so, and in a last
// level rank i sends to rank p + i, if it exists.
//
// Differences from the report's text: it lets rank k and rank k + 2^l exchange messages if ceil(k /
// 2^l) is even, which must be floor, as its figure 2 shows; and it applies this for any n, among
// all ranks, without an additional level.

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
