// Patterns `bisect` and `bisect_fb_sym` of the ORCS report (section 2.4): adjacent ranks are pairs,
// which become bisections through the random order of the hosts. (bisection.h draws bisections
// directly, much faster.)
//
// Rank 2i + 1 sends to rank 2i; with bisect_fb_sym also 2i to 2i + 1. The last of an odd number of
// ranks is left out.

#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"

namespace pssp {
namespace {

std::unique_ptr<Pattern> make_rank_bisection(std::uint32_t ranks, bool both_ways) {
  return make_function_pattern(ranks, ranks < 2 ? 0 : 1,
                               [ranks, both_ways](std::uint32_t /*level*/, FlowWriter& flows) {
                                 for (std::uint32_t even = 0; even + 1 < ranks; even += 2) {
                                   if (both_ways) flows.add(even, even + 1);
                                   flows.add(even + 1, even);
                                 }
                               });
}

std::unique_ptr<Pattern> make_bisect(const PatternSpec& request, std::string_view /*argument*/) {
  return make_rank_bisection(request.ranks, false);
}

std::unique_ptr<Pattern> make_bisect_fb_sym(const PatternSpec& request,
                                            std::string_view /*argument*/) {
  return make_rank_bisection(request.ranks, true);
}

}  // namespace

const PatternDescription bisect_pattern = {
    "bisect", "", "one half of the hosts sends to the other half, in pairs", make_bisect};
const PatternDescription bisect_fb_sym_pattern = {
    "bisect_fb_sym", "", "as bisect, with both directions at the same time", make_bisect_fb_sym};

}  // namespace pssp
