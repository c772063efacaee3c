// Mixture of experts: `moe:G`. Each G consecutive ranks hold the experts of one layer and exchange
// tokens all to all, in rounds of shifts as in `shifts`, all groups at the same time (Lepikhin et
// al., "GShard: Scaling Giant Models with Conditional Computation and Automatic Sharding", 2020,
// section 3.2, which describes the two all-to-alls of a layer). The last group is smaller if G does
// not divide the ranks.

#include <algorithm>
#include <limits>

#include "evaluator/patterns/arguments.h"
#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"
#include "evaluator/patterns/rank_arithmetic.h"

namespace pssp {
namespace {

std::unique_ptr<Pattern> make_moe(const PatternSpec& request, std::string_view argument) {
  const std::uint32_t ranks = request.ranks;
  const std::uint32_t group = whole_number_argument(request, argument, "the size of a group", 2,
                                                    std::numeric_limits<std::uint32_t>::max());
  const std::uint32_t largest = std::min(group, ranks);
  const auto write = [ranks, largest](std::uint32_t level, FlowWriter& flows) {
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      const std::uint32_t first = rank - rank % largest;
      const std::uint32_t size = std::min(largest, ranks - first);
      if (level + 1 < size) flows.add(rank, first + shifted(rank - first, level + 1, size));
    }
  };
  return make_function_pattern(ranks, ranks < 2 ? 0 : largest - 1, write);
}

}  // namespace

const PatternDescription moe_pattern = {
    "moe", "G", "all-to-alls within groups of G, in rounds of shifts, all groups at once",
    make_moe};

}  // namespace pssp
