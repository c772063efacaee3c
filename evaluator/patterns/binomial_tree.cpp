// Pattern `tree` of the ORCS report (section 2.4, figure 6): a binomial tree, as for a broadcast of
// small messages.
//
// In level l the ranks below 2^l have the message; each sends it to the rank 2^l above its own, if
// there is one. (The report's formula for the pairs of a level does not bound the sender; its
// figure 6, its example in section 4 and ORCS do.)

#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"
#include "evaluator/patterns/rank_arithmetic.h"

namespace pssp {
namespace {

std::unique_ptr<Pattern> make_binomial_tree(const PatternSpec& request,
                                            std::string_view /*argument*/) {
  const std::uint32_t ranks = request.ranks;
  return make_function_pattern(
      ranks, doublings(ranks), [ranks](std::uint32_t level, FlowWriter& flows) {
        const std::uint32_t distance = 1U << level;
        for (std::uint32_t sender = 0; sender < distance && sender < ranks - distance; ++sender) {
          flows.add(sender, sender + distance);
        }
      });
}

}  // namespace

const PatternDescription tree_pattern = {
    "tree", "", "binomial tree: the number of ranks with the message doubles in each phase",
    make_binomial_tree};

}  // namespace pssp
