#include <catch2/catch.hpp>
#include <vector>

#include "routing/trees/inferred_links.h"
#include "routing/trees/numbered_tree.h"
#include "routing/trees/rank_distances.h"
#include "routing/trees/tree_levels.h"
#include "topologies/registry.h"

using namespace pssp;

TEST_CASE("on complete trees, legal paths between leaves are minimal") {
  for (const char* spec : {"k-ary-n-tree 4 3", "chic", "xgft 4,4 1,2", "director 288"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const std::vector<std::uint32_t> rank = switch_ranks(fabric);
    RankDistances legal(fabric, rank);
    HopDistances shortest(fabric);
    for (std::uint32_t root = 0; root < fabric.switch_count(); ++root) {
      if (rank[root] != 0) continue;
      legal.search(SwitchId(root));
      shortest.search(SwitchId(root));
      CHECK(legal.is_legal_from_all_leaves());
      bool equal = true;
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        equal &= legal.distance()[s] == shortest.distance()[s];
        for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
          equal &= legal.is_next_hop(s, c) == shortest.is_next_hop(s, c);
        }
      }
      CHECK(equal);
    }
  }
}

TEST_CASE("with any next hop at each switch, all paths arrive, and legal paths stay legal") {
  for (const char* spec :
       {"k-ary-n-tree 4 3 --kill-links 20", "chic --kill-links 60", "torus 4x4",
        "k-ary-n-tree 3 3 --kill-switches 3 --allow-islands", "deimos --kill-links 20"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const std::vector<std::uint32_t> rank = switch_ranks(fabric);
    RankDistances distances(fabric, rank);
    HopDistances hops(fabric);
    for (std::uint32_t root = 0; root < fabric.switch_count(); ++root) {
      distances.search(SwitchId(root));
      hops.search(SwitchId(root));
      bool right = distances.order().size() == hops.order().size();
      right &= distances.order().front() == root;
      for (const std::uint32_t s : distances.order().subspan(1)) {
        bool any = false;
        for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
          if (!distances.is_next_hop(s, c)) continue;
          any = true;
          right &= distances.distance()[fabric.channel_head()[c]] + 1 == distances.distance()[s];
        }
        right &= any;
      }
      CHECK(right);
    }
  }
}
