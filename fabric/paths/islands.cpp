#include "fabric/paths/islands.h"

#include "base/no_index.h"

namespace pssp {

std::vector<std::uint32_t> islands(const Fabric& fabric) {
  std::vector<std::uint32_t> island(fabric.switch_count(), no_index);
  std::vector<std::uint32_t> reached;
  std::uint32_t count = 0;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (island[s] != no_index) continue;
    island[s] = count;
    reached.assign(1, s);
    while (!reached.empty()) {
      const std::uint32_t at = reached.back();
      reached.pop_back();
      for (std::uint32_t c = fabric.first_channel()[at]; c < fabric.first_channel()[at + 1]; ++c) {
        const std::uint32_t next = fabric.channel_head()[c];
        if (island[next] != no_index) continue;
        island[next] = count;
        reached.push_back(next);
      }
    }
    ++count;
  }
  return island;
}

}  // namespace pssp
