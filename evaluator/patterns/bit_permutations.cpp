// The permutations of Dally and Towles, "Principles and Practices of Interconnection Networks"
// (2004), section 3.2, that move or flip the bits of a rank.
//
// With b bits per rank: bit reversal moves bit i to bit b - 1 - i, complement flips all bits, and
// transpose moves bit i to bit i + b/2 modulo b. Here, transpose is defined as the transposition of
// a square matrix that is stored row by row, so that it accepts any square number of ranks; if the
// number is also a power of two, both definitions agree.

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "evaluator/patterns/arguments.h"
#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"
#include "evaluator/patterns/rank_arithmetic.h"

namespace pssp {
namespace {

[[noreturn]] void refuse_size(const PatternSpec& request, std::string_view kind,
                              std::uint64_t below, std::uint64_t above) {
  refuse_pattern(request, fmt::format("is defined for {} only, not for {} ranks; the nearest sizes "
                                      "are {} and {}",
                                      kind, request.ranks, below, above));
}

void require_power_of_two(const PatternSpec& request) {
  const std::uint32_t below = std::bit_floor(request.ranks);
  if (request.ranks != below)
    refuse_size(request, "powers of two", below, std::uint64_t{below} * 2);
}

std::unique_ptr<Pattern> make_bit_reversal(const PatternSpec& request,
                                           std::string_view /*argument*/) {
  require_power_of_two(request);
  const std::uint32_t bits = doublings(request.ranks);
  return make_rank_map(request.ranks, [bits](std::uint32_t rank) {
    std::uint32_t reversed = 0;
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
      reversed |= (rank >> bit & 1U) << (bits - 1 - bit);
    }
    return reversed;
  });
}

std::unique_ptr<Pattern> make_complement(const PatternSpec& request,
                                         std::string_view /*argument*/) {
  require_power_of_two(request);
  return make_rank_map(request.ranks,
                       [last = request.ranks - 1](std::uint32_t rank) { return rank ^ last; });
}

std::unique_ptr<Pattern> make_transpose(const PatternSpec& request, std::string_view /*argument*/) {
  const auto rows =
      static_cast<std::uint32_t>(std::floor(std::sqrt(static_cast<double>(request.ranks))));
  const auto square = [](std::uint64_t side) { return side * side; };
  if (square(rows) != request.ranks) {
    refuse_size(request, "square numbers", square(rows), square(std::uint64_t{rows} + 1));
  }
  return make_rank_map(request.ranks,
                       [rows](std::uint32_t rank) { return rank % rows * rows + rank / rows; });
}

}  // namespace

const PatternDescription bit_reversal_pattern = {
    "bit_reversal", "", "every rank sends to the rank with its bits in reverse order",
    make_bit_reversal};
const PatternDescription complement_pattern = {
    "complement", "", "every rank sends to the rank with all its bits flipped", make_complement};
const PatternDescription transpose_pattern = {
    "transpose", "", "transposition of a square matrix of ranks, numbered row by row",
    make_transpose};

}  // namespace pssp
