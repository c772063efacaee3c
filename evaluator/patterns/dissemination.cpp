// Pattern `bruck` of the ORCS report (section 2.4, figure 1), which the Cluster 2008 paper calls
// dissemination (section 5.1, figure 6): as for a barrier, or an all-to-all of small messages.
//
// In level l, ceil(log2 n) of them, rank i sends to rank i + 2^l modulo n.

#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"
#include "evaluator/patterns/rank_arithmetic.h"

namespace pssp {
namespace {

std::unique_ptr<Pattern> make_dissemination(const PatternSpec& request,
                                            std::string_view /*argument*/) {
  const std::uint32_t ranks = request.ranks;
  const auto write = [ranks](std::uint32_t level, FlowWriter& flows) {
    const std::uint32_t distance = 1U << level;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
      flows.add(rank, shifted(rank, distance, ranks));
    }
  };
  return make_function_pattern(ranks, doublings(ranks), write);
}

}  // namespace

const PatternDescription bruck_pattern = {
    "bruck", "", "every rank sends 1, 2, 4 ... ranks ahead, one distance per phase",
    make_dissemination};
const PatternDescription dissemination_pattern = {"dissemination", "", "another name of bruck",
                                                  make_dissemination};

}  // namespace pssp
