// In a shift, the h hosts of a leaf send to h consecutive hosts, which mostly sit on two leaves.
// With w uplinks, at least ceil(h / w) of these share an uplink, and no more do as long as their
// numbers lie within w * ceil(h / w). So w * ceil(h / w) - h numbers may be left out between two
// leaves.
//
// A gap does not change shifts, but it determines the uplink with which the next leaf starts:
// whether hosts in the same position of each leaf share an uplink, and whether the first host of a
// job uses the uplink after that of the last host.

#include "routing/engines/parts/local_search/dmodk_gaps.h"

#include <algorithm>
#include <map>
#include <utility>

#include "routing/trees/tree_levels.h"

namespace pssp {

std::vector<std::uint32_t> harmless_gaps(const Fabric& fabric) {
  const std::vector<std::uint32_t> levels = switch_ranks(fabric);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> leaves;  // by hosts, cables up
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (fabric.endpoints_per_switch()[s] == 0) continue;
    std::uint32_t up = 0;
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      if (levels[fabric.channel_head()[c]] > levels[s]) ++up;
    }
    if (up != 0) ++leaves[{fabric.endpoints_per_switch()[s], up}];
  }
  std::vector<std::uint32_t> gaps;
  if (leaves.empty()) return gaps;
  const auto [hosts, up] =
      std::max_element(leaves.begin(), leaves.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      })->first;
  const std::uint32_t most = (hosts + up - 1) / up * up - hosts;
  for (std::uint32_t gap = 1; gap <= most; ++gap) gaps.push_back(gap);
  return gaps;
}

}  // namespace pssp
