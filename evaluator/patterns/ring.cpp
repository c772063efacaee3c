// A message that is forwarded from rank to rank: `ring` of the ORCS report (section 2.4), and
// `pipeline` of the Cluster 2008 paper (section 5.1), which divides it into segments.
//
// ring: in level l, rank l sends to the next one, the last one to rank 0: n levels of one flow.
//
// pipeline: the paper does not define it. Rank 0 divides a long message into segments; each rank
// forwards each segment to the next rank after its arrival, so segment s leaves rank i in level s +
// i. With S segments these are n - 1 + S - 1 levels. When the pipeline is full, all ranks but the
// last one send at once; without a number of segments, the pattern is only this level.

#include <algorithm>

#include "evaluator/patterns/arguments.h"
#include "evaluator/patterns/descriptions.h"
#include "evaluator/patterns/function_pattern.h"
#include "evaluator/patterns/rank_arithmetic.h"

namespace pssp {
namespace {

std::unique_ptr<Pattern> make_ring(const PatternSpec& request, std::string_view /*argument*/) {
  const std::uint32_t ranks = request.ranks;
  return make_function_pattern(ranks, ranks < 2 ? 0 : ranks,
                               [ranks](std::uint32_t level, FlowWriter& flows) {
                                 flows.add(level, shifted(level, 1, ranks));
                               });
}

/// Each of the ranks first .. last - 1 sends to the next one.
void pass_on(std::uint32_t first, std::uint32_t last, FlowWriter& flows) {
  for (std::uint32_t rank = first; rank < last; ++rank) flows.add(rank, rank + 1);
}

std::unique_ptr<Pattern> make_pipeline(const PatternSpec& request, std::string_view argument) {
  const std::uint32_t ranks = request.ranks;
  constexpr std::uint32_t most_segments = 1'000'000;
  const std::uint32_t segments =
      argument.empty()
          ? 0
          : whole_number_argument(request, argument, "the number of segments", 1, most_segments);
  if (ranks < 2) return make_function_pattern(ranks, 0, {});
  const std::uint32_t links = ranks - 1;
  if (segments == 0) {
    return make_function_pattern(ranks, 1, [links](std::uint32_t /*level*/, FlowWriter& flows) {
      pass_on(0, links, flows);
    });
  }
  return make_function_pattern(
      ranks, links + segments - 1, [links, segments](std::uint32_t level, FlowWriter& flows) {
        const std::uint32_t first = level < segments ? 0 : level - segments + 1;
        pass_on(first, std::min(level + 1, links), flows);
      });
}

}  // namespace

const PatternDescription ring_pattern = {
    "ring", "", "a message travels around the ring, one rank per phase", make_ring};
const PatternDescription pipeline_pattern = {
    "pipeline", "[SEGMENTS]",
    "every rank sends to the next; with SEGMENTS, also the phases of filling and draining",
    make_pipeline};

}  // namespace pssp
