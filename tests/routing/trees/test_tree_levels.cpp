#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "fabric/builder.h"
#include "routing/engines/engine.h"
#include "routing/trees/tree_levels.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"

using namespace pssp;

TEST_CASE("a switch has rank 0 if it has hosts, or else a rank above its lowest neighbor") {
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

TEST_CASE("is_tree() and require_tree() distinguish trees from other fabrics") {
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
                      Catch::Contains("not a tree") && Catch::Contains("["));
  }
}

namespace {

/// Ranks by the names of the switches.
std::map<std::string, std::uint32_t> named_levels(const std::string& spec) {
  const Fabric fabric = make_fabric(spec);
  const std::vector<std::uint32_t> rank = switch_ranks(fabric);
  std::map<std::string, std::uint32_t> levels;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    levels[fabric.switch_at(SwitchId(s)).name] = rank[s];
  }
  return levels;
}

}  // namespace

TEST_CASE("a few hosts at spines and at line modules of directors change no rank") {
  for (const std::string spec :
       {"xgft 24,20 1,16", "k-ary-n-tree 4 3", "k-ary-n-tree 3 4", "k-ary-n-tree 6 3", "chic",
        "xgft 8,8,8 1,4,4", "xgft 16,8,4 1,8,2", "xgft 20,10 1,4 --parallel 3", "thunderbird"}) {
    const std::map<std::string, std::uint32_t> plain = named_levels(spec);
    for (const std::string more : {"1", "2", "4", "2 --absent-hosts 6"}) {
      for (int seed = 1; seed <= 6; ++seed) {
        const std::string untidy = spec + " --permute-ports --shuffle-guids --upper-hosts " + more +
                                   " --seed " + std::to_string(seed);
        INFO(untidy);
        CHECK(named_levels(untidy) == plain);
      }
    }
  }
}

TEST_CASE("a host at a line module without leaves does not merge two levels") {
  // Such modules are lines 23 and 24 of both directors.
  for (int seed = 1; seed <= 40; ++seed) {
    const Fabric fabric =
        make_fabric("chic --permute-ports --upper-hosts 30 --seed " + std::to_string(seed));
    const std::vector<std::uint32_t> rank = switch_ranks(fabric);
    INFO("seed " << seed);
    bool joins_levels = true;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      joins_levels &= rank[fabric.channel_tail()[c]] != rank[fabric.channel_head()[c]];
    }
    CHECK(joins_levels);
  }
}

TEST_CASE("a leaf with few hosts, or with one, is a leaf") {
  for (const std::string spec :
       {"xgft 24,20 1,16 --uneven-hosts 23", "k-ary-n-tree 6 3 --uneven-hosts 5",
        "xgft 8,8,8 1,4,4 --uneven-hosts 7", "chic --uneven-hosts 11",
        "xgft 16,8,4 1,8,2 --uneven-hosts 15 --kill-links 20", "deimos --uneven-hosts 11",
        "deimos --kill-links 20",
        "director-chain --directors 2 --cables 30 --hosts 220 --director-ports 144 --uneven-hosts "
        "8",
        "joined-trees --leafs 16,6 --hosts 18 --spines 8 --cables 12 --uneven-hosts 17"}) {
    for (int seed = 1; seed <= 5; ++seed) {
      const Fabric fabric = make_fabric(spec + " --seed " + std::to_string(seed));
      const std::vector<std::uint32_t> rank = switch_ranks(fabric);
      INFO(spec << ", seed " << seed);
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        if (fabric.endpoints_per_switch()[s] != 0) CHECK(rank[s] == 0);
      }
    }
  }
}

TEST_CASE("an island with few hosts has leaves, and best routes its additional LIDs") {
  // One island has four leaves with four hosts each, at two spines. The other island has a switch
  // with one host and a switch without hosts, at two other spines: no switch there has as many
  // hosts as most leaves.
  FabricBuilder builder;
  std::vector<NodeId> switches;
  for (Guid guid = 1; guid <= 10; ++guid) switches.push_back(builder.add_switch(guid, 20, "", ""));
  const auto connect = [&](std::size_t lower, std::size_t upper) {
    for (const std::size_t end : {upper, upper + 1}) {
      builder.connect(switches[lower], static_cast<PortNumber>(10 + end), switches[end],
                      static_cast<PortNumber>(10 + lower), {});
    }
  };
  Guid next_guid = 0x100;
  const auto add_host = [&](std::size_t leaf, PortNumber port) {
    const NodeId host = builder.add_adapter(next_guid, 1, EndPortKind::channel_adapter, "", "");
    next_guid += 2;
    builder.connect(switches[leaf], port, host, 1, {});
  };
  for (std::size_t leaf = 0; leaf < 4; ++leaf) {
    connect(leaf, 4);
    for (PortNumber port = 1; port <= 4; ++port) add_host(leaf, port);
  }
  connect(6, 8);
  connect(7, 8);
  add_host(6, 1);
  builder.assign_lids(2);
  const Fabric fabric = std::move(builder).build();
  CHECK(switch_ranks(fabric) == std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 0, 2, 1, 1});
  const Routing routing = make_engine("best", {})->route(fabric);
  CHECK(verify(fabric, routing.tables).usable());
}
