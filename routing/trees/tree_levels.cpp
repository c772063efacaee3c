#include "routing/trees/tree_levels.h"

#include <fmt/format.h>

#include <cstddef>

#include "base/error.h"
#include "base/no_index.h"

namespace pssp {
namespace {

constexpr std::size_t tolerated = 4;  // one link in so many may be within a level

struct LevelLinks {
  std::size_t all = 0;
  std::size_t within_a_level = 0;
  std::uint32_t example = no_index;  // a channel of the latter

  bool are_few() const { return tolerated * within_a_level <= all; }
};

LevelLinks count_links(const Fabric& fabric, std::span<const std::uint32_t> ranks) {
  LevelLinks links;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const std::uint32_t rank = ranks[fabric.channel_tail()[c]];
    if (fabric.channel_reverse()[c] < c || rank == no_rank) continue;
    ++links.all;
    if (rank != ranks[fabric.channel_head()[c]]) continue;
    ++links.within_a_level;
    if (links.example == no_index) links.example = c;
  }
  return links;
}

}  // namespace

std::vector<std::uint32_t> switch_ranks(const Fabric& fabric) {
  std::vector<std::uint32_t> rank(fabric.switch_count(), no_rank);
  std::vector<std::uint32_t> order;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (fabric.endpoints_per_switch()[s] == 0) continue;
    rank[s] = 0;
    order.push_back(s);
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t s = order[i];
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      const std::uint32_t next = fabric.channel_head()[c];
      if (rank[next] != no_rank) continue;
      rank[next] = rank[s] + 1;
      order.push_back(next);
    }
  }
  return rank;
}

bool is_tree(const Fabric& fabric, std::span<const std::uint32_t> ranks) {
  return count_links(fabric, ranks).are_few();
}

void require_tree(const Fabric& fabric, std::span<const std::uint32_t> ranks) {
  const LevelLinks links = count_links(fabric, ranks);
  if (links.are_few()) return;
  throw Error(ErrorKind::unsuitable_topology,
              fmt::format("this is no tree: {} of {} links join switches that are equally far "
                          "from the nearest hosts, such as {}; expected at most one in {} in a "
                          "tree with some links missing; use engine best",
                          links.within_a_level, links.all,
                          fabric.channel_label(ChannelId(links.example)), tolerated));
}

}  // namespace pssp
