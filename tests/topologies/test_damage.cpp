// Damage: how many switches and links are removed, which ones remain, and that the seed determines
// them.

#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "tests/topologies/fabric_graph.h"
#include "topologies/registry.h"

using namespace pssp;
using namespace pssp::test;

namespace {

std::size_t dead_hosts(const Fabric& fabric) {
  return static_cast<std::size_t>(
      std::count_if(fabric.end_ports().begin(), fabric.end_ports().end(),
                    [](const EndPort& e) { return !e.attached.valid(); }));
}

}  // namespace

TEST_CASE("exactly the requested number of links is missing, and nothing else") {
  const Fabric whole = make_fabric("chic");
  for (int seed = 1; seed <= 5; ++seed) {
    const Fabric damaged = make_fabric("chic --kill-links 20 --seed " + std::to_string(seed));
    CHECK(link_count(damaged) == link_count(whole) - 20);
    CHECK(damaged.switch_count() == whole.switch_count());
    CHECK(damaged.host_count() == whole.host_count());
    CHECK(dead_hosts(damaged) == 0);
    CHECK(islands(damaged) == 1);
    for (const Switch& s : damaged.switches()) CHECK(whole.find_switch(s.guid).has_value());
  }
}

TEST_CASE("dead switches are removed, and their hosts have no cable") {
  const Fabric whole = make_fabric("mesh 6x6 --hosts 3");
  for (int seed = 1; seed <= 5; ++seed) {
    const Fabric damaged =
        make_fabric("mesh 6x6 --hosts 3 --kill-switches 7 --seed " + std::to_string(seed));
    CHECK(damaged.switch_count() == 29);
    CHECK(damaged.host_count() == 108);
    CHECK(dead_hosts(damaged) == 21);
    CHECK(islands(damaged) == 1);
    // The other switches keep their GUIDs, names and descriptions.
    for (const Switch& s : damaged.switches()) {
      const auto before = whole.find_switch(s.guid);
      REQUIRE(before.has_value());
      CHECK(whole.switch_at(*before).name == s.name);
      CHECK(whole.switch_at(*before).description == s.description);
    }
  }
}

TEST_CASE("damage does not split the fabric unless islands are allowed") {
  // 25 switches need 24 of the 40 links.
  const Fabric tree = make_fabric("mesh 5x5 --kill-links 16");
  CHECK(link_count(tree) == 24);
  CHECK(islands(tree) == 1);
  CHECK_THROWS_WITH(make_fabric("mesh 5x5 --kill-links 17"), Catch::Contains("only 16 of 17"));
  CHECK(link_count(make_fabric("mesh 5x5 --kill-links 40 --allow-islands")) == 0);
  CHECK_THROWS_WITH(make_fabric("mesh 5x5 --kill-links 41 --allow-islands"),
                    Catch::Contains("only 40 of 41"));
  // In a row of switches, only the two ends can be removed.
  const Fabric row = make_fabric("mesh 9 --kill-switches 6");
  CHECK(row.switch_count() == 3);
  CHECK(islands(row) == 1);
}

TEST_CASE("damage can split the fabric if islands are allowed") {
  int split = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    const std::string damage = " --kill-switches 2 --kill-links 1 --seed " + std::to_string(seed);
    CHECK(islands(make_fabric("mesh 12" + damage + " --allow-islands")) <= 4);
    split += islands(make_fabric("mesh 12" + damage + " --allow-islands")) > 1 ? 1 : 0;
  }
  CHECK(split > 10);
}

TEST_CASE("half spines have cables only to the first half of their neighbors") {
  const Fabric whole = make_fabric("xgft 4,6 1,8");
  const Fabric damaged = make_fabric("xgft 4,6 1,8 --half-spines 3");
  CHECK(link_count(damaged) == link_count(whole) - 9);
  CHECK(islands(damaged) == 1);
  // Half spines have 3 leaves, the other spines 6. The first 3 leaves have all 8 spines, the other
  // leaves 5.
  const std::map<std::size_t, std::size_t> expected{{3, 3}, {5, 3}, {6, 5}, {8, 3}};
  CHECK(degrees(damaged) == expected);
  CHECK_THROWS_WITH(make_fabric("xgft 4,6 1,8 --half-spines 8"),
                    Catch::Contains("only 7 of 8 halves of top switches"));
  CHECK_THROWS_WITH(make_fabric("mesh 4x4 --half-spines 1"), Catch::Contains("only 0 of 1"));
  CHECK(islands(make_fabric("xgft 4,6 1,8 --half-spines 8 --allow-islands")) == 4);
  CHECK(islands(make_fabric("xgft 4,3,4 1,2,2 --half-spines 3")) == 1);
}

TEST_CASE("links and switches can be removed together") {
  const Fabric damaged = make_fabric("torus 6x6 --kill-switches 4 --kill-links 5 --seed 3");
  const Fabric switches_only = make_fabric("torus 6x6 --kill-switches 4 --seed 3");
  CHECK(damaged.switch_count() == 32);
  CHECK(link_count(damaged) == link_count(switches_only) - 5);
  CHECK(islands(damaged) == 1);
}

TEST_CASE("the seed determines which links and switches are removed") {
  const std::string spec = "chic --kill-links 20 --kill-switches 3 --seed ";
  CHECK(fingerprint(make_fabric(spec + "7")) == fingerprint(make_fabric(spec + "7")));
  CHECK(fingerprint(make_fabric(spec + "7")) != fingerprint(make_fabric(spec + "8")));
  CHECK(fingerprint(make_fabric("chic --kill-links 20")) ==
        fingerprint(make_fabric("chic --kill-links 20 --seed 1")));
}
