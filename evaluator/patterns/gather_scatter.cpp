// Patterns `gather` and `scatter` of the ORCS report (section 2.4): all to rank 0, and rank 0 to
// all, in one level.

#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"

namespace pssp {
namespace {

std::unique_ptr<Pattern> make_gather(const PatternSpec& request, std::string_view /*argument*/) {
  return make_function_pattern(request.ranks, request.ranks < 2 ? 0 : 1,
                               [ranks = request.ranks](std::uint32_t /*level*/, FlowWriter& flows) {
                                 for (std::uint32_t rank = 1; rank < ranks; ++rank)
                                   flows.add(rank, 0);
                               });
}

std::unique_ptr<Pattern> make_scatter(const PatternSpec& request, std::string_view /*argument*/) {
  return make_function_pattern(request.ranks, request.ranks < 2 ? 0 : 1,
                               [ranks = request.ranks](std::uint32_t /*level*/, FlowWriter& flows) {
                                 for (std::uint32_t rank = 1; rank < ranks; ++rank)
                                   flows.add(0, rank);
                               });
}

}  // namespace

const PatternDescription gather_pattern = {"gather", "", "all ranks send to rank 0", make_gather};
const PatternDescription scatter_pattern = {"scatter", "", "rank 0 sends to all other ranks",
                                            make_scatter};

}  // namespace pssp
