// Cyclic shifts of the ranks: a single one or a sequence.
//
// shift:K: rank i sends to rank i + K modulo n. shifts: K = 1 .. n - 1, one level each, or N of
// these, evenly spaced: an all-to-all in rounds, or a sample of it (Zahavi et al., "Optimized
// InfiniBand fat-tree routing for shift all-to-all communication patterns", Concurrency and
// Computation 22, 2010).

#include <algorithm>
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

std::unique_ptr<Pattern> make_shifts(const PatternSpec& request, std::string_view argument) {
  const std::uint32_t ranks = request.ranks;
  const std::uint32_t all = ranks < 2 ? 0 : ranks - 1;
  std::uint32_t levels = all;
  if (!argument.empty()) {
    levels = std::min(all, whole_number_argument(request, argument, "the number of shifts", 1,
                                                 std::numeric_limits<std::uint32_t>::max()));
  }
  // The middle of each of N equal parts of 1 .. n - 1; with N = n - 1, every distance.
  const auto distance = [all, levels](std::uint32_t level) {
    return static_cast<std::uint32_t>(
        (2 * std::uint64_t{level} + 1) * all / (2 * std::uint64_t{levels}) + 1);
  };
  return make_function_pattern(ranks, levels,
                               [ranks, distance](std::uint32_t level, FlowWriter& flows) {
                                 for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                                   flows.add(rank, shifted(rank, distance(level), ranks));
                                 }
                               });
}

}  // namespace

const PatternDescription shift_pattern = {"shift", "K",
                                          "every rank sends K ranks ahead, cyclically", make_shift};
const PatternDescription shifts_pattern = {"shifts", "[N]",
                                           "all shifts by 1, 2, ... up to the number of ranks "
                                           "minus one, one per phase; or N of them, evenly spaced",
                                           make_shifts};

}  // namespace pssp
