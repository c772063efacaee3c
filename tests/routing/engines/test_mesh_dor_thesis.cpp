// Compares the engine with the forwarding tables that the thesis on congestion control in meshes
// prints (section 3.5, Tables 3.4 and 3.5), entry by entry. The numbering is that of section 3.3:
// switches SW<row><column> and SW<y><x><z>, hosts on the first ports, LIDs in the order of the
// names. Port p of the thesis is port p + 1 of InfiniBand; 255 is the entry of LID 0, which does
// not exist.
//
// The printed tables are incomplete and contradict the text in places. They appear here as printed.
// The tests list each entry that contradicts section 3.3 with the correct entry.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "fabric/builder.h"
#include "routing/engines/mesh_dor.h"
#include "tests/temporary_file.h"

namespace pssp {
namespace {

/// The six directions along the axes of the thesis. +Y is up, toward the smaller first subscript.
enum Direction : unsigned { plus_x, minus_x, plus_y, minus_y, plus_z, minus_z };
constexpr int none = -1;

/// Ports of a switch by direction, as offsets from n, the number of hosts.
using Ports = std::array<int, 6>;

/// Subscripts, each 1 .. 3: row, column in two dimensions; y, x, z in three.
using Name = std::string;

// Section 3.3.1, Connection. The text does not give the ports of the corners, only that they are n
// and n + 1. These ports are from Table 3.4.
const std::map<Name, Ports> ports_2d{
    {"11", {1, none, none, 0, none, none}}, {"12", {1, 0, none, 2, none, none}},
    {"13", {none, 0, none, 1, none, none}}, {"21", {1, none, 0, 2, none, none}},
    {"22", {1, 0, 2, 3, none, none}},       {"23", {none, 0, 1, 2, none, none}},
    {"31", {1, none, 0, none, none, none}}, {"32", {1, 0, 2, none, none, none}},
    {"33", {none, 0, 1, none, none, none}}};

// Tables 3.1 (corners), 3.2 (edges) and 3.3 (planes) and the text of section 3.3.3 (inside), for
// m = 3.
const std::map<Name, Ports> ports_3d{
    {"111", {1, none, none, 0, 2, none}}, {"113", {1, none, none, 0, none, 2}},
    {"133", {none, 0, none, 1, none, 2}}, {"131", {none, 0, none, 1, 2, none}},
    {"311", {1, none, 0, none, 2, none}}, {"313", {1, none, 0, none, none, 2}},
    {"331", {none, 0, 1, none, 2, none}}, {"333", {none, 0, 1, none, none, 2}},
    {"112", {1, none, none, 0, 3, 2}},    {"121", {1, 0, none, 2, 3, none}},
    {"123", {1, 0, none, 3, none, 2}},    {"132", {none, 0, none, 1, 3, 2}},
    {"211", {1, none, 0, 2, 3, none}},    {"213", {3, none, 0, 1, none, 2}},
    {"233", {none, 3, 1, 2, none, 0}},    {"231", {none, 0, 1, 2, 3, none}},
    {"321", {1, 0, 2, none, 3, none}},    {"312", {1, none, 0, none, 3, 2}},
    {"323", {3, 1, 0, none, none, 2}},    {"332", {none, 3, 1, none, 0, 2}},
    {"122", {1, 0, none, 4, 3, 2}},       {"322", {1, 0, 4, none, 3, 2}},
    {"221", {1, 0, 2, 3, 4, none}},       {"223", {1, 2, 0, 3, none, 4}},
    {"212", {4, none, 0, 1, 3, 2}},       {"232", {none, 4, 1, 2, 3, 0}},
    {"222", {1, 0, 4, 5, 2, 3}}};

constexpr unsigned hosts = 2;

Name neighbour(Name name, unsigned direction) {
  const std::size_t rows = 0;
  const std::size_t columns = 1;
  const std::size_t depth = 2;
  const auto move = [&name](std::size_t subscript, int by) {
    name[subscript] = static_cast<char>(name[subscript] + by);
  };
  if (direction == plus_x || direction == minus_x) move(columns, direction == plus_x ? 1 : -1);
  if (direction == plus_y || direction == minus_y) move(rows, direction == plus_y ? -1 : 1);
  if (direction == plus_z || direction == minus_z) move(depth, direction == plus_z ? 1 : -1);
  return name;
}

/// GUIDs and LIDs in the order of the names; hosts first, so that their LIDs begin at 1.
Fabric thesis_mesh(const std::map<Name, Ports>& switches) {
  FabricBuilder builder;
  std::map<Name, NodeId> nodes;
  Guid guid = 0x200000;
  unsigned lid = 1;
  for (const auto& [name, ports] : switches) {
    const auto links = static_cast<unsigned>(6 - std::count(ports.begin(), ports.end(), none));
    const NodeId node = builder.add_switch(guid++, hosts + links, "SW" + name, "");
    nodes.emplace(name, node);
    for (unsigned h = 0; h < hosts; ++h, ++lid) {
      const NodeId host = builder.add_adapter(0x100000 + 2 * lid, 1, EndPortKind::channel_adapter,
                                              fmt::format("H{}{}", name, h + 1), "");
      builder.connect(node, static_cast<PortNumber>(h + 1), host, 1, {});
      builder.set_lid(host, 1, lid, 0);
    }
  }
  for (const auto& [name, ports] : switches) {
    builder.set_lid(nodes.at(name), management_port, lid++, 0);
    for (const unsigned direction : {plus_x, minus_y, plus_z}) {
      if (ports[direction] == none) continue;
      const Name far = neighbour(name, direction);
      const unsigned back = direction ^ 1U;
      builder.connect(nodes.at(name), static_cast<PortNumber>(hosts + 1 + ports[direction]),
                      nodes.at(far), static_cast<PortNumber>(hosts + 1 + switches.at(far)[back]),
                      {});
    }
  }
  return std::move(builder).build();
}

/// The entry as the thesis prints it.
int printed_form(PortNumber port) { return port == no_port ? 255 : port - 1; }

SwitchId find(const Fabric& fabric, const Name& name) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (fabric.switch_at(SwitchId(s)).name == "SW" + name) return SwitchId(s);
  }
  throw std::runtime_error("no switch " + name);
}

ForwardingTables route(const Fabric& fabric, std::string_view options = "") {
  return mesh_dor_engine.make(EngineOptions::parse(options))->route(fabric).tables;
}

/// Correct entries, by LID, for LIDs from `first` on whose printed entries differ.
std::map<int, int> differences(const Fabric& fabric, const ForwardingTables& tables,
                               const Name& name, int first, const std::vector<int>& printed) {
  std::map<int, int> differing;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const int lid = first + static_cast<int>(i);
    const int entry = printed_form(tables.at(find(fabric, name), static_cast<Lid>(lid)));
    if (entry != printed[i]) differing[lid] = entry;
  }
  return differing;
}

const std::map<Name, std::vector<int>> table_3_4{
    {"11", {255, 0, 1, 3, 3, 3, 3, 2, 2, 3, 3, 3, 2, 2, 3, 3, 3, 3}},
    {"12", {255, 2, 2, 0, 1, 3, 3, 2, 2, 4, 4, 3, 3, 2, 2, 4, 4, 3}},
    {"13", {255, 2, 2, 2, 2, 0, 1, 2, 2, 2, 2, 3, 3, 2, 2, 2, 2, 3}},
    {"21", {255, 2, 2, 3, 3, 3, 3, 0, 1, 3, 3, 3, 3, 4, 4, 3, 3, 3}},
    {"22", {255, 2, 2, 4, 4, 3, 3, 2, 2, 0, 1, 3, 3, 2, 2, 5, 5, 3}},
    {"23", {255, 2, 2, 2, 2, 3, 3, 2, 2, 2, 2, 0, 1, 2, 2, 2, 2, 4}},
    {"31", {255, 2, 2, 3, 3, 3, 3, 2, 2, 3, 3, 3, 3, 0, 1, 3, 3, 3}},
    {"32", {255, 2, 2, 4, 4, 3, 3, 2, 2, 4, 4, 3, 3, 2, 2, 0, 1, 3}},
    {"33", {255, 2, 2, 2, 2, 3, 3, 2, 2, 2, 2, 3, 3, 2, 2, 2, 2, 0}},
};

/// One row of Table 3.5, which is printed in two lines.
struct PrintedRow {
  std::vector<int> upper, lower;
};

const std::map<Name, PrintedRow> table_3_5{
    {"111",
     {{255, 0, 1, 4, 4, 4, 4, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3},
      {3, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}}},
    {"112",
     {{255, 4, 4, 0, 1, 5, 5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3},
      {3, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}}},
    {"113",
     {{255, 4, 4, 4, 4, 0, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3},
      {3, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3}}},
    {"331",
     {{255, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3},
      {3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 0, 1, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4}}},
    {"332",
     {{255, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 3, 3, 3, 3, 3, 3, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5},
      {3, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 4, 4, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}}},
    {"333",
     {{255, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2},
      {3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 4, 4, 4, 4, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1}}},
};

using Differences = std::map<int, int>;

void require_table_3_5(const Fabric& fabric, const ForwardingTables& tables) {
  constexpr int first_lid_of_lower_line = 36;
  constexpr std::size_t entries_of_lower_line = 54 - 36 + 1;
  for (const auto& [name, row] : table_3_5) {
    CAPTURE(name);
    // Upper line: LIDs from 0 on. Row 111 has port 3 (+x) for LIDs 19-24, the hosts of 211, 212 and
    // 213. They are straight below in -y: port 2, as in rows 112 and 113. Rows 112 and 113 have one
    // 3 too few among LIDs 7-18 (the hosts of 121 to 133), so the six 2s of LIDs 19-24 are one
    // place too early. Row 331 ends with three 3s, although the twelve 2s of LIDs 19-30 (-x) should
    // continue. Rows 332 and 333 are correct.
    const std::map<Name, Differences> upper{
        {"111", {{19, 2}, {20, 2}, {21, 2}, {22, 2}, {23, 2}, {24, 2}}},
        {"112", {{18, 3}, {24, 2}}},
        {"113", {{18, 3}, {24, 2}}},
        {"331", {{26, 2}, {27, 2}, {28, 2}}},
        {"332", {}},
        {"333", {}}};
    CHECK(differences(fabric, tables, name, 0, row.upper) == upper.at(name));

    // Lower line: it must begin at LID 36, because then all of rows 331, 332 and 333 are correct.
    // Rows 111, 112 and 113 then have five 2s, where LIDs 37-42 (the hosts of 311, 312 and 313)
    // need six.
    const std::map<Name, Differences> lower{{"111", {{42, 2}}}, {"112", {{42, 2}}},
                                            {"113", {{42, 2}}}, {"331", {}},
                                            {"332", {}},        {"333", {}}};
    const std::vector<int> known(row.lower.begin(), row.lower.begin() + entries_of_lower_line);
    CHECK(differences(fabric, tables, name, first_lid_of_lower_line, known) == lower.at(name));
    // After LID 54, the last of the 54 hosts, the line repeats its last entry.
    CHECK(
        std::count(row.lower.begin() + entries_of_lower_line, row.lower.end(), row.lower.back()) ==
        static_cast<std::ptrdiff_t>(row.lower.size() - entries_of_lower_line));
  }
}

}  // namespace

TEST_CASE("meshdor matches Table 3.4 of the thesis: 3x3 mesh, two hosts per switch") {
  const Fabric fabric = thesis_mesh(ports_2d);
  const ForwardingTables tables = route(fabric);
  for (const auto& [name, printed] : table_3_4) {
    CAPTURE(name);
    // Each row has 255 and 17 entries, although there are 18 hosts.
    REQUIRE(printed.size() == 18);
    if (name == "11") {
      // Row 11 ends with the correct entries for LIDs 13-18. It lacks one of the four 3s of LIDs
      // 9-12 (hosts of 22 and 23).
      std::vector<int> whole = printed;
      whole.insert(whole.begin() + 9, 3);
      CHECK(differences(fabric, tables, name, 0, whole).empty());
    } else {
      // The other rows lack the last column, LID 18.
      CHECK(differences(fabric, tables, name, 0, printed).empty());
    }
  }
  // The last column follows from the text: H332 is reached like H331.
  const std::map<Name, int> last_column{{"11", 3}, {"12", 3}, {"13", 3}, {"21", 3}, {"22", 3},
                                        {"23", 4}, {"31", 3}, {"32", 3}, {"33", 1}};
  for (const auto& [name, entry] : last_column) {
    CHECK(printed_form(tables.at(find(fabric, name), 18)) == entry);
  }
}

TEST_CASE("meshdor matches Table 3.5 of the thesis: 3x3x3 mesh, two hosts per switch") {
  const Fabric fabric = thesis_mesh(ports_3d);
  REQUIRE(fabric.switch_count() == 27);
  // The engine finds the dimensions in the order z, x, y: the neighbors of switch 111 are 112, 121
  // and 211 in the order of their GUIDs. The thesis routes in the order x, y, z.
  require_table_3_5(fabric, route(fabric, "dimension_order=1-2-0"));

  std::string text = "dimensions 3 3 3  # x y z\n";
  for (const auto& [name, ports] : ports_3d) {
    text += fmt::format("SW{} {} {} {}\n", name, name[1], name[0], name[2]);
  }
  const test::TemporaryFile file(text);
  const ForwardingTables tables = route(fabric, "coordinates=" + file.path());
  require_table_3_5(fabric, tables);
  CHECK(tables == route(fabric, "dimension_order=1-2-0"));
}

}  // namespace pssp
