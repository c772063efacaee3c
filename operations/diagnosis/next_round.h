#pragma once

// Plans additional rounds that distinguish objects with equal evidence.

#include <cstdint>
#include <span>
#include <vector>

#include "operations/diagnosis/slow_objects.h"

namespace pssp {

/// At most two rounds of single flows, disjoint within a round, for all faults with several
/// explanations and all suspects. The first has flows that cross exactly one link of a group; the
/// second, for links without such a flow, flows over as few others of the group as possible, and
/// never over all. Links suspected elsewhere are avoided. `ranks`: permitted senders and receivers.
/// No round if nothing can be distinguished; no round is empty. Worst case O(links of groups *
/// ranks^2 * length of a path).
std::vector<std::vector<Flow>> plan_next_rounds(const FlowAlternatives& alternatives,
                                                std::span<const std::vector<std::uint32_t>> nodes,
                                                std::span<const std::uint32_t> ranks,
                                                const RateDiagnosis& diagnosis, std::uint64_t seed);

}  // namespace pssp
