#pragma once

// The rounds that tell apart what a diagnosis could not.

#include <cstdint>
#include <span>
#include <vector>

#include "operations/diagnosis/slow_objects.h"

namespace pssp {

/// Two rounds at most of single flows, of which no two of a round share a link, for all faults with
/// several explanations and all suspects. The first has flows that cross one link of a group and no
/// other of it; the second has, for links that no such flow crosses, flows over as few others of
/// the group as can be, and never over all. What is suspected elsewhere is avoided. `ranks`: who
/// may send and receive. No round where nothing can be told apart, and none is empty. O(links of
/// groups
/// * ranks^2 * length of a way) at worst.
std::vector<std::vector<Flow>> plan_next_rounds(const FlowAlternatives& alternatives,
                                                std::span<const std::vector<std::uint32_t>> nodes,
                                                std::span<const std::uint32_t> ranks,
                                                const RateDiagnosis& diagnosis, std::uint64_t seed);

}  // namespace pssp
