// Every rank sends to every other: at once, or in rounds of pairs (`pairwise exchange` of the
// Cluster 2008 paper, section 5.1).
//
// all_to_all: one level of n (n - 1) flows.
//
// pairwise: the paper does not define pairwise exchange. As in MPICH (Thakur, Rabenseifner, Gropp,
// "Optimization of collective communication operations in MPICH", 2005, section 4.2.2), there are n
// - 1 levels; in level l, the ranks i and i XOR (l + 1) exchange messages if n is a power of two;
// otherwise rank i sends to rank i + l + 1 modulo n and receives from rank i - l - 1.

#include <bit>

#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"
#include "evaluator/patterns/rank_arithmetic.h"

namespace pssp {
namespace {

std::unique_ptr<Pattern> make_all_to_all(const PatternSpec& request,
                                         std::string_view /*argument*/) {
  return make_function_pattern(request.ranks, request.ranks < 2 ? 0 : 1,
                               [ranks = request.ranks](std::uint32_t /*level*/, FlowWriter& flows) {
                                 for (std::uint32_t sender = 0; sender < ranks; ++sender) {
                                   for (std::uint32_t receiver = 0; receiver < ranks; ++receiver) {
                                     if (sender != receiver) flows.add(sender, receiver);
                                   }
                                 }
                               });
}

std::unique_ptr<Pattern> make_pairwise(const PatternSpec& request, std::string_view /*argument*/) {
  const std::uint32_t ranks = request.ranks;
  const bool pairs = std::has_single_bit(ranks);
  return make_function_pattern(
      ranks, ranks < 2 ? 0 : ranks - 1, [ranks, pairs](std::uint32_t level, FlowWriter& flows) {
        const std::uint32_t round = level + 1;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
          flows.add(rank, pairs ? rank ^ round : shifted(rank, round, ranks));
        }
      });
}

}  // namespace

const PatternDescription all_to_all_pattern = {
    "all_to_all", "", "every rank sends to every other rank at the same time", make_all_to_all};
const PatternDescription pairwise_pattern = {
    "pairwise", "", "pairwise exchange of all pairs of ranks, one partner per phase",
    make_pairwise};

}  // namespace pssp
