// Cyclic shifts of the ranks, one of them or one after the other.
//
// shift:K: rank i sends to rank i + K modulo n. shifts: K = 1 .. n - 1, a level each, which is an
// all-to-all in rounds (Zahavi et al., "Optimized InfiniBand fat-tree routing for shift all-to-all
// communication patterns", Concurrency and Computation 22, 2010).

#include <limits>

#include "evaluator/patterns/arguments.h"
#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"
#include "evaluator/patterns/rank_arithmetic.h"

namespace pssp {
namespace {

std::unique_ptr<Pattern> make_shift(const PatternSpec& request, std::string_view argument) {
  const std::uint32_t ranks = request.ranks;
  const std::uint32_t distance = whole_number_argument(request, argument, "the distance", 1,
                                                       std::numeric_limits<std::uint32_t>::max());
  return make_rank_map(ranks, [ranks, distance](std::uint32_t rank) {
    return shifted(rank, distance % ranks, ranks);
  });
}

std::unique_ptr<Pattern> make_shifts(const PatternSpec& request, std::string_view /*argument*/) {
  const std::uint32_t ranks = request.ranks;
  return make_function_pattern(ranks, ranks < 2 ? 0 : ranks - 1,
                               [ranks](std::uint32_t level, FlowWriter& flows) {
                                 for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                                   flows.add(rank, shifted(rank, level + 1, ranks));
                                 }
                               });
}

}  // namespace

const PatternDescription shift_pattern = {
    "shift", "K", "everybody sends to the one K ranks ahead, round the end", make_shift};
const PatternDescription shifts_pattern = {
    "shifts", "", "all shifts: by 1, 2, ... to the number of ranks less one, a level each",
    make_shifts};

}  // namespace pssp
