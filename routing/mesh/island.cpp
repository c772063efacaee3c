// Arcs are sorted by tail and then by head, so that binary search finds a neighbor. Links are
// sorted by their first arc.

#include "routing/mesh/island.h"

#include <algorithm>
#include <utility>

namespace pssp {

std::vector<std::vector<SwitchId>> connected_components(const Fabric& fabric) {
  DisjointSets sets(fabric.switch_count());
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    sets.unite(fabric.channel_tail()[c], fabric.channel_head()[c]);
  }
  const auto [number, count] = sets.numbered();
  std::vector<std::vector<SwitchId>> components(count);
  for (std::uint32_t s = 0; s < number.size(); ++s) components[number[s]].emplace_back(s);
  return components;
}

Island make_island(const Fabric& fabric, std::vector<SwitchId> switches,
                   std::vector<std::uint32_t>& index) {
  Island island;
  island.switches = std::move(switches);
  for (std::uint32_t i = 0; i < island.size(); ++i) index[island.switches[i].value()] = i;
  island.first.push_back(0);
  const auto first_channel = fabric.first_channel();
  std::vector<std::uint32_t> heads;
  for (std::uint32_t i = 0; i < island.size(); ++i) {
    const std::uint32_t s = island.switches[i].value();
    heads.clear();
    for (std::uint32_t c = first_channel[s]; c < first_channel[s + 1]; ++c) {
      heads.push_back(index[fabric.channel_head()[c]]);
    }
    std::sort(heads.begin(), heads.end());
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    island.head.insert(island.head.end(), heads.begin(), heads.end());
    island.tail.insert(island.tail.end(), heads.size(), i);
    island.first.push_back(static_cast<std::uint32_t>(island.head.size()));
  }
  // Arcs are sorted by tail, so the arcs into a switch occur in the order of the arcs out of the
  // switch.
  std::vector<std::uint32_t> next(island.first.begin(), island.first.end() - 1);
  island.reverse.resize(island.head.size());
  island.link.resize(island.head.size());
  for (std::uint32_t a = 0; a < island.head.size(); ++a) {
    island.reverse[a] = next[island.head[a]]++;
    island.link[a] =
        island.tail[a] < island.head[a] ? island.link_count++ : island.link[island.reverse[a]];
  }
  return island;
}

std::uint32_t largest_degree(std::uint64_t switches) {
  std::uint32_t degree = 0;
  for (std::uint64_t power = 3; power <= switches * switches; power *= 3) ++degree;
  return degree;
}

}  // namespace pssp
