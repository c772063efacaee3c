#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "routing/trees/tree_levels.h"
#include "topologies/registry.h"

using namespace pssp;

TEST_CASE("levels: a switch is one above the lowest of its neighbours, or has hosts") {
  for (const char* spec : {"chic", "xgft 4,4,4 1,2,2 --kill-links 6 --permute-ports", "deimos",
                           "k-ary-n-tree 3 3 --kill-switches 2 --allow-islands", "mesh 3x3"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const std::vector<std::uint32_t> rank = switch_ranks(fabric);
    REQUIRE(rank.size() == fabric.switch_count());
    bool all_hold = true;
    for (std::uint32_t s = 0; s < rank.size(); ++s) {
      std::uint32_t lowest = no_rank;
      for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
        lowest = std::min(lowest, rank[fabric.channel_head()[c]]);
      }
      const bool has_hosts = fabric.endpoints_per_switch()[s] != 0;
      const std::uint32_t expected = has_hosts ? 0 : lowest == no_rank ? no_rank : lowest + 1;
      all_hold &= rank[s] == expected;
    }
    CHECK(all_hold);
  }
}

TEST_CASE("levels: which fabrics are trees") {
  for (const char* spec :
       {"chic", "deimos", "k-ary-n-tree 2 2", "xgft 16,16 1,8 --kill-links 30"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    CHECK(is_tree(fabric, switch_ranks(fabric)));
    CHECK_NOTHROW(require_tree(fabric, switch_ranks(fabric)));
  }
  for (const char* spec :
       {"torus 4x4", "hypercube 4", "full-mesh 6", "random-regular 20 --degree 4"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    CHECK_FALSE(is_tree(fabric, switch_ranks(fabric)));
    CHECK_THROWS_WITH(require_tree(fabric, switch_ranks(fabric)),
                      Catch::Contains("no tree") && Catch::Contains("["));
  }
}
