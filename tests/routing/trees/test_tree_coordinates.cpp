#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/topology_file.h"
#include "routing/trees/tree_coordinates.h"
#include "routing/trees/tree_levels.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

constexpr const char* untidy_tree = " --permute-ports --shuffle-guids --seed ";

/// Columns of the parents of a switch.
std::set<std::uint32_t> columns_above(const Fabric& fabric, const TreeCoordinates& of,
                                      std::uint32_t s) {
  std::set<std::uint32_t> columns;
  for (const std::uint32_t parent : tree_parents(fabric, of.level, s)) {
    columns.insert(of.column[parent]);
  }
  return columns;
}

}  // namespace

TEST_CASE("tree coordinates list every switch and every end port once") {
  for (const char* spec : {"chic --kill-switches 3", "deimos", "mesh 3x3 --hosts 2",
                           "k-ary-n-tree 3 3 --kill-switches 3 --allow-islands"}) {
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    const TreeCoordinates found = tree_coordinates(fabric);
    CHECK(std::set(found.switches.begin(), found.switches.end()).size() == fabric.switch_count());
    CHECK(found.switches.size() == fabric.switch_count());
    CHECK(std::set(found.end_ports.begin(), found.end_ports.end()).size() ==
          fabric.end_port_count());
    CHECK(found.end_ports.size() == fabric.end_port_count());
  }
}

TEST_CASE("the switches of a column lead to the same top switches in every pod") {
  // Three levels: a column has one switch of the middle level in each pod.
  for (const unsigned seed : {1U, 2U, 3U}) {
    const Fabric fabric = make_fabric("xgft 6,5,4 1,3,2" + (untidy_tree + std::to_string(seed)));
    const TreeCoordinates found = tree_coordinates(fabric);
    std::vector<std::multiset<std::uint32_t>> by_column(3);
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      if (found.level[s] == 0) {
        CHECK(columns_above(fabric, found, s) == std::set<std::uint32_t>{0, 1, 2});
      }
      if (found.level[s] != 1) continue;
      REQUIRE(found.column[s] < 3);
      by_column[found.column[s]].insert(s);
      const std::uint32_t first = 2 * found.column[s];
      CHECK(columns_above(fabric, found, s) == std::set<std::uint32_t>{first, first + 1});
    }
    for (const auto& members : by_column) CHECK(members.size() == 4);
  }
}

TEST_CASE("tree coordinates do not depend on port numbers") {
  for (const char* spec : {"chic --kill-links 20", "xgft 7,5,3 1,3,2 --kill-links 4", "deimos"}) {
    INFO(spec);
    const TreeCoordinates tidy = tree_coordinates(make_fabric(spec));
    const TreeCoordinates permuted =
        tree_coordinates(make_fabric(std::string(spec) + " --permute-ports"));
    CHECK(permuted.switches == tidy.switches);
    CHECK(permuted.end_ports == tidy.end_ports);
    CHECK(permuted.column == tidy.column);
  }
}

TEST_CASE("tree coordinates order hosts by leaf and by name, with numbers by value") {
  const Fabric fabric = make_fabric("xgft 12,4 1,2 --shuffle-guids --permute-ports");
  const TreeCoordinates found = tree_coordinates(fabric);
  const Fabric tidy = make_fabric("xgft 12,4 1,2");
  REQUIRE(found.end_ports.size() == tidy.end_port_count());
  for (std::uint32_t e = 0; e < tidy.end_port_count(); ++e) {
    CHECK(fabric.end_port(found.end_ports[e]).description == tidy.end_ports()[e].description);
  }
}

TEST_CASE("a replacement switch with the same name gets the same coordinates") {
  // All top switches have the same neighbors, so without names their GUIDs would order them.
  const std::string before = to_net_file(make_fabric("xgft 6,5 1,4"));
  const std::string last_guid = "switchguid=0xffffff(ffffff)";
  std::string after = before;
  const std::size_t named = after.find("\"level 2 switch 2\"");
  REQUIRE(named != std::string::npos);
  const std::size_t line = after.rfind("switchguid=", named);
  after.replace(line, after.find('\n', line) - line, last_guid);
  const auto names = [](const std::string& net_file) {
    const Fabric fabric = parse_topology(net_file, "net").builder.build();
    std::vector<std::string> found;
    for (const SwitchId s : tree_coordinates(fabric).switches) {
      found.push_back(fabric.switch_at(s).description);
    }
    return found;
  };
  CHECK(names(after) == names(before));
}
