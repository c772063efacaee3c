// The meshes of the congestion control thesis: names, and the port of every switch to every
// neighbor, compared with section 3.3. The thesis numbers ports from 0, InfiniBand from 1.

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "tests/topologies/fabric_graph.h"
#include "topologies/registry.h"

using namespace pssp;
using namespace pssp::test;

namespace {

/// Maps each pair of switch and neighbor to the port number of the thesis.
std::map<std::pair<std::string, std::string>, int> ports_towards(const Fabric& fabric) {
  std::map<std::pair<std::string, std::string>, int> ports;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const bool is_new = ports
                            .emplace(std::pair(fabric.switches()[fabric.channel_tail()[c]].name,
                                               fabric.switches()[fabric.channel_head()[c]].name),
                                     fabric.channel_out_port()[c] - 1)
                            .second;
    CHECK(is_new);
  }
  return ports;
}

struct Row {
  std::string name;
  /// Port minus n (the hosts per switch) to +X, -X, +Y, -Y, +Z, -Z; -1 if the thesis prints a dash.
  std::array<int, 6> port;
};

// Source: tables 3.1, 3.2 and 3.3, and for the last row the text on non-boundary switches. In a
// 3x3x3 mesh, exactly one switch has the position of each row.
const std::vector<Row> tables_3_1_to_3_3{
    {"SW111", {1, -1, -1, 0, 2, -1}}, {"SW113", {1, -1, -1, 0, -1, 2}},
    {"SW133", {-1, 0, -1, 1, -1, 2}}, {"SW131", {-1, 0, -1, 1, 2, -1}},
    {"SW311", {1, -1, 0, -1, 2, -1}}, {"SW313", {1, -1, 0, -1, -1, 2}},
    {"SW331", {-1, 0, 1, -1, 2, -1}}, {"SW333", {-1, 0, 1, -1, -1, 2}},
    {"SW112", {1, -1, -1, 0, 3, 2}},  {"SW121", {1, 0, -1, 2, 3, -1}},
    {"SW123", {1, 0, -1, 3, -1, 2}},  {"SW132", {-1, 0, -1, 1, 3, 2}},
    {"SW211", {1, -1, 0, 2, 3, -1}},  {"SW213", {3, -1, 0, 1, -1, 2}},
    {"SW233", {-1, 3, 1, 2, -1, 0}},  {"SW231", {-1, 0, 1, 2, 3, -1}},
    {"SW321", {1, 0, 2, -1, 3, -1}},  {"SW312", {1, -1, 0, -1, 3, 2}},
    {"SW323", {3, 1, 0, -1, -1, 2}},  {"SW332", {-1, 3, 1, -1, 0, 2}},
    {"SW122", {1, 0, -1, 4, 3, 2}},   {"SW322", {1, 0, 4, -1, 3, 2}},
    {"SW221", {1, 0, 2, 3, 4, -1}},   {"SW223", {1, 2, 0, 3, -1, 4}},
    {"SW212", {4, -1, 0, 1, 3, 2}},   {"SW232", {-1, 4, 1, 2, 3, 0}},
    {"SW222", {1, 0, 4, 5, 2, 3}}};

/// Neighbor in a direction of Row::port. +Y decreases the first subscript; +X increases the second
/// and +Z the third.
std::string neighbour(std::string name, std::size_t direction) {
  static constexpr std::array<std::size_t, 6> subscript{3, 3, 2, 2, 4, 4};
  static constexpr std::array<int, 6> step{1, -1, -1, 1, 1, -1};
  name[subscript[direction]] = static_cast<char>(name[subscript[direction]] + step[direction]);
  return name;
}

}  // namespace

TEST_CASE("3D mesh of the thesis: Tables 3.1, 3.2, 3.3 and section 3.3.3") {
  constexpr int n = 2;
  const Fabric fabric = make_fabric("mesh 3x3x3 --hosts 2 --ports thesis");
  const auto ports = ports_towards(fabric);
  CHECK(fabric.switch_count() == 27);
  CHECK(fabric.host_count() == 54);
  REQUIRE(tables_3_1_to_3_3.size() == 27);
  std::size_t stated = 0;
  for (const Row& row : tables_3_1_to_3_3) {
    for (std::size_t direction = 0; direction < row.port.size(); ++direction) {
      if (row.port[direction] < 0) continue;
      ++stated;
      INFO(row.name << " -> " << neighbour(row.name, direction));
      REQUIRE(ports.count({row.name, neighbour(row.name, direction)}) == 1);
      CHECK(ports.at({row.name, neighbour(row.name, direction)}) == n + row.port[direction]);
    }
  }
  CHECK(stated == fabric.channel_count());
  for (const Switch& s : fabric.switches()) {
    std::size_t links = 0;
    for (const auto& [ends, port] : ports) links += ends.first == s.name ? 1 : 0;
    CHECK(s.ports == n + links);
  }
}

TEST_CASE("ports of larger 3D meshes of the thesis depend on the position in the same way") {
  const Fabric small = make_fabric("mesh 3x3x3 --hosts 1 --ports thesis");
  const Fabric large = make_fabric("mesh 5x4x6 --hosts 1 --ports thesis");
  const auto expected = ports_towards(small);
  const auto shrink = [](const std::string& name, std::size_t digit, int size) {
    const int subscript = name[digit] - '0';
    return subscript == 1 ? 1 : subscript == size ? 3 : 2;
  };
  for (const auto& [ends, port] : ports_towards(large)) {
    const std::string like = "SW" + std::to_string(shrink(ends.first, 2, 5)) +
                             std::to_string(shrink(ends.first, 3, 4)) +
                             std::to_string(shrink(ends.first, 4, 6));
    std::string towards = like;
    for (std::size_t digit = 2; digit < 5; ++digit) {
      towards[digit] = static_cast<char>(towards[digit] + ends.second[digit] - ends.first[digit]);
    }
    INFO(ends.first << " -> " << ends.second << " as " << like << " -> " << towards);
    CHECK(expected.at({like, towards}) == port);
  }
}

TEST_CASE("2D mesh of the thesis: section 3.3.1 and the corners of Table 3.4") {
  const Fabric fabric = make_fabric("mesh 3x3 --hosts 2 --ports thesis");
  // Section 3.5.1: 9 switches, 18 HCAs and 48 links. Of these, 18 lead to the generator and 18 to
  // the HCAs, so 12 are between switches.
  CHECK(fabric.switch_count() == 9);
  CHECK(fabric.host_count() == 18);
  CHECK(link_count(fabric) == 12);
  const std::map<std::pair<std::string, std::string>, int> expected{
      {{"SW11", "SW12"}, 3}, {{"SW11", "SW21"}, 2},                         // corner
      {{"SW12", "SW11"}, 2}, {{"SW12", "SW13"}, 3}, {{"SW12", "SW22"}, 4},  // topmost edge
      {{"SW13", "SW12"}, 2}, {{"SW13", "SW23"}, 3},                         // corner
      {{"SW21", "SW11"}, 2}, {{"SW21", "SW22"}, 3}, {{"SW21", "SW31"}, 4},  // leftmost edge
      {{"SW22", "SW21"}, 2}, {{"SW22", "SW23"}, 3}, {{"SW22", "SW12"}, 4},
      {{"SW22", "SW32"}, 5},                                                // middle
      {{"SW23", "SW22"}, 2}, {{"SW23", "SW13"}, 3}, {{"SW23", "SW33"}, 4},  // rightmost edge
      {{"SW31", "SW21"}, 2}, {{"SW31", "SW32"}, 3},                         // corner
      {{"SW32", "SW31"}, 2}, {{"SW32", "SW33"}, 3}, {{"SW32", "SW22"}, 4},  // bottommost edge
      {{"SW33", "SW32"}, 2}, {{"SW33", "SW23"}, 3}};                        // corner
  CHECK(ports_towards(fabric) == expected);
}

TEST_CASE("ports of a 2D torus are those of the thesis, section 3.3.2") {
  const Fabric fabric = make_fabric("torus 4x3 --hosts 1 --ports thesis");
  const auto ports = ports_towards(fabric);
  CHECK(ports.at({"SW11", "SW13"}) == 1);  // left
  CHECK(ports.at({"SW11", "SW12"}) == 2);  // right
  CHECK(ports.at({"SW11", "SW41"}) == 3);  // up
  CHECK(ports.at({"SW11", "SW21"}) == 4);  // down
  CHECK(ports.at({"SW43", "SW13"}) == 4);
  CHECK(ports.size() == 48);
}

TEST_CASE("hosts of the thesis: names, ports and LIDs in naming order") {
  const Fabric fabric = make_fabric("mesh 3x3 --hosts 2 --ports thesis --lids=hosts-first");
  Lid lid = 1;
  for (int row = 1; row <= 3; ++row) {
    for (int column = 1; column <= 3; ++column) {
      for (int host = 1; host <= 2; ++host, ++lid) {
        const std::string place = std::to_string(row) + std::to_string(column);
        const LidOwner owner = fabric.owner(lid);
        REQUIRE(owner.kind == LidOwner::Kind::end_port);
        const EndPort& port = fabric.end_ports()[owner.index];
        CHECK(port.name == "H" + place + std::to_string(host));
        CHECK(fabric.switch_at(port.attached).name == "SW" + place);
        CHECK(port.switch_port == host);
      }
    }
  }
  CHECK(fabric.owner(lid).kind == LidOwner::Kind::switch_port0);
}
