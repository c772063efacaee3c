#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/random.h"
#include "fabric/builder.h"
#include "fabric/input/fabric_input.h"
#include "tests/operations/cabling/cabling_damage.h"
#include "tests/source_folder.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

using test::damaged;
using test::DamagedCabling;
using test::said_faults;
using test::shuffled;

Cabling made(const char* specification) { return cabling_of(make_fabric(specification)); }

/// None if the file does not exist.
std::optional<Cabling> saved(const std::string& name) {
  const char* const configured = std::getenv("PSSP_FABRICS_DIR");
  const std::filesystem::path folder = configured != nullptr
                                           ? std::filesystem::path(configured)
                                           : test::source_folder() / ".." / "shared" / "fabrics";
  const std::vector<std::filesystem::path> paths{folder / name};
  if (!std::filesystem::exists(paths.front())) return std::nullopt;
  return cabling_of(read_fabric_input(paths).fabric);
}

struct Score {
  std::size_t faults = 0, named = 0, statements = 0;
  double seconds = 0;
};

void add_run(const Cabling& plan, unsigned swaps, unsigned missing, std::uint64_t seed,
             Score& score) {
  const DamagedCabling damage = damaged(plan, swaps, missing, seed);
  const std::clock_t begin = std::clock();
  const CablingComparison comparison = compare_cabling(plan, damage.fabric);
  score.seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const auto said = said_faults(comparison);
  score.faults += damage.faults.size();
  score.statements += said.size();
  for (const test::SaidFault& fault : damage.faults) score.named += said.count(fault);
}

TEST_CASE("each injected fault is reported by one statement, although no switch has a name") {
  const char* const specification =
      GENERATE("chic", "xgft 8,8,8 1,8,8", "deimos", "torus 4x4x4 --hosts 2");
  INFO(specification);
  const Cabling plan = made(specification);
  Score score;
  add_run(plan, 1, 0, 1, score);
  add_run(plan, 3, 5, 2, score);
  CHECK(score.named == score.faults);
  CHECK(score.statements == score.faults);
}

/// Run by benchmarks/cabling_damage.sh.
TEST_CASE("table of injected damage", "[.table]") {
  fmt::print("{:<24}{:>8}{:>8}{:>12}{:>12}\n", "fabric", "faults", "named", "statements",
             "ms a run");
  const auto row = [](const char* name, const Cabling& plan) {
    Score score;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      add_run(plan, 1, 0, seed, score);
      add_run(plan, 3, 5, seed, score);
      add_run(plan, 10, 20, seed, score);
    }
    fmt::print("{:<24}{:>8}{:>8}{:>12}{:>12.1f}\n", name, score.faults, score.named,
               score.statements, score.seconds * 1000 / 15);
    CHECK(score.named == score.faults);
    CHECK(score.statements == score.faults);
  };
  for (const char* name : {"chic", "xgft 8,8,8 1,8,8", "deimos", "thunderbird"}) {
    row(name, made(name));
  }
  for (const char* name : {"ndr-40-switches", "hdr-666-switches"}) {
    if (const auto plan = saved(std::string(name) + ".ibnetdiscover")) row(name, *plan);
  }
}

TEST_CASE("a fabric in another order, with other GUIDs or other names, matches the plan") {
  for (const char* specification : {"chic", "deimos", "mesh 4x3 --hosts 2"}) {
    INFO(specification);
    const Cabling plan = made(specification);
    const Cabling other = shuffled(plan, 5);
    const CablingComparison same = compare_cabling(plan, other);
    CHECK(same.statements.empty());
    CHECK(same.cables_in_place == plan.cables.size());

    Cabling strangers = other;  // a generated file whose GUIDs are in another order
    for (std::size_t n = 0; n < other.nodes.size(); ++n) {
      strangers.nodes[n].guid = other.nodes[(n + 7) % other.nodes.size()].guid;
    }
    const CablingComparison by_name = compare_cabling(plan, strangers);
    CHECK(by_name.statements.empty());
    CHECK(by_name.matching.guids_misled);

    Cabling renamed = other;
    for (std::size_t n = 0; n < other.nodes.size(); ++n) {
      renamed.nodes[n].identity = other.nodes[(n + 7) % other.nodes.size()].identity;
    }
    CHECK(compare_cabling(plan, renamed).statements.empty());
  }
}

TEST_CASE("missing cables are extra cables if plan and fabric are exchanged") {
  const Cabling plan = made("chic");
  const Cabling fabric = damaged(plan, 0, 20, 3, false).fabric;
  const auto there = said_faults(compare_cabling(plan, fabric));
  auto back = said_faults(compare_cabling(fabric, plan));
  CHECK(there.size() == 20);
  CHECK(there.begin()->fault == CablingFault::missing);
  std::multiset<test::SaidFault> exchanged;
  for (test::SaidFault fault : back) {
    CHECK(fault.fault == CablingFault::extra);
    fault.fault = CablingFault::missing;
    exchanged.insert(fault);
  }
  CHECK(exchanged == there);
}

/// A switch "leaf" with hosts n1 .. n4 at ports 1 .. 4 and switch "spine" at port 8.
Cabling small_plan() {
  Cabling cabling;
  cabling.nodes.push_back({1, "leaf", "leaf", "", Cabling::NodeKind::switch_chip, false});
  cabling.nodes.push_back({2, "spine", "spine", "", Cabling::NodeKind::switch_chip, false});
  for (std::uint32_t i = 1; i <= 4; ++i) {
    const std::string name = "n" + std::to_string(i) + " mlx5_0";
    cabling.nodes.push_back({10 + i, name, name, "", Cabling::NodeKind::adapter, false});
    cabling.cables.push_back({{0, static_cast<PortNumber>(i)}, {i + 1, 1}, 100'000, "4xEDR"});
  }
  cabling.cables.push_back({{0, 8}, {1, 1}, 100'000, "4xEDR"});
  return cabling;
}

std::vector<std::string> lines_of(const Cabling& plan, const Cabling& fabric) {
  std::vector<std::string> lines;
  for (const CablingStatement& each : compare_cabling(plan, fabric).statements) {
    lines.push_back(std::string(word_of(each.fault)) + ": " + each.text);
  }
  return lines;
}
using Lines = std::vector<std::string>;

TEST_CASE("statements describe each fault in words") {
  const Cabling plan = small_plan();
  Cabling fabric = plan;
  SECTION("swapped") {
    std::swap(fabric.cables[0].b, fabric.cables[1].b);
    CHECK(lines_of(plan, fabric) ==
          Lines{"swapped: leaf port 1 and leaf port 2: exchange the two cables there"});
  }
  SECTION("cyclic exchange of three cables") {
    std::swap(fabric.cables[0].b, fabric.cables[1].b);
    std::swap(fabric.cables[1].b, fabric.cables[2].b);
    const auto lines = lines_of(plan, fabric);
    REQUIRE(lines.size() == 1);
    CHECK(lines.front().starts_with(
        "swapped: 3 cables are permuted: exchange the cables at leaf port "));
  }
  SECTION("moved") {
    fabric.cables[0].a.number = 7;
    CHECK(lines_of(plan, fabric) == Lines{"moved: n1 mlx5_0 is at leaf port 7, planned port 1"});
  }
  SECTION("adapter moved and replaced by another one") {
    fabric.cables[0].a.number = 7;
    fabric.nodes.push_back({99, "x y", "x y", "", Cabling::NodeKind::adapter, false});
    fabric.cables.push_back({{0, 1}, {6, 1}, 100'000, "4xEDR"});
    CHECK(lines_of(plan, fabric) == Lines{"moved: n1 mlx5_0 is at leaf port 7, planned port 1",
                                          "unknown_node: x y, at leaf port 1"});
  }
  SECTION("slower") {
    fabric.cables[4].megabits = 50'000;
    fabric.cables[4].rate = "2xEDR";
    CHECK(lines_of(plan, fabric) ==
          Lines{"slower: leaf port 8 - spine port 1 runs at 2xEDR, planned 4xEDR"});
    CHECK(lines_of(fabric, plan).empty());
  }
  SECTION("renamed") {
    fabric.nodes[2].guid = 77;
    fabric.nodes[2].name = fabric.nodes[2].identity = "n9 mlx5_0";
    CHECK(lines_of(plan, fabric) ==
          Lines{"renamed: leaf port 1 has 'n9 mlx5_0', planned 'n1 mlx5_0'"});
  }
  SECTION("a host is missing, and a switch with a host is new") {
    fabric.nodes.push_back({50, "new", "new", "", Cabling::NodeKind::switch_chip, false});
    fabric.cables[0] = {{0, 9}, {6, 2}, 0, ""};
    fabric.nodes[2].guid = 78;
    fabric.nodes[2].name = fabric.nodes[2].identity = "other";
    fabric.cables.push_back({{6, 1}, {2, 1}, 0, ""});
    CHECK(lines_of(plan, fabric) ==
          Lines{"missing_node: n1 mlx5_0, planned at leaf port 1",
                "unknown_node: new, with 2 cables (e.g. to leaf port 9) and 1 adapters that are "
                "connected nowhere else"});
  }
  SECTION("factory names are counted") {
    for (std::uint32_t i = 0; i < 3; ++i) {
      fabric.nodes.push_back({60 + i, "H-1", "", "", Cabling::NodeKind::adapter, true});
      fabric.cables.push_back({{1, static_cast<PortNumber>(10 + i)}, {6 + i, 1}, 0, ""});
    }
    CHECK(lines_of(plan, fabric) ==
          Lines{"unknown_node: 3 adapters with factory names at ports that the plan leaves free "
                "(e.g. spine port 10)"});
  }
}

TEST_CASE("exchanged rails of one node are reported for this node") {
  Cabling plan;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::string leaf = "leaf" + std::to_string(i);
    plan.nodes.push_back({1 + i, leaf, leaf, "", Cabling::NodeKind::switch_chip, false});
  }
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::string name = "n1 mlx5_" + std::to_string(i);
    plan.nodes.push_back({10 + i, name, name, "", Cabling::NodeKind::adapter, false});
    plan.cables.push_back({{i, 3}, {2 + i, 1}, 0, ""});
  }
  Cabling fabric = plan;
  std::swap(fabric.cables[0].b, fabric.cables[1].b);
  const CablingComparison comparison = compare_cabling(plan, fabric);
  REQUIRE(comparison.statements.size() == 1);
  CHECK(comparison.statements.front().of_rails);
  CHECK(comparison.statements.front().text ==
        "n1 mlx5_0 and n1 mlx5_1: exchange the two cables there");
  // All four ends, by GUID and port: the leaves have GUIDs 1 and 2, the adapters 10 and 11.
  std::vector<CablingPort> positions = comparison.statements.front().positions;
  std::ranges::sort(positions);
  CHECK(positions == std::vector<CablingPort>{{1, 3}, {2, 3}, {10, 1}, {11, 1}});
}

TEST_CASE("the positions of a statement are ports that exist in the fabric") {
  Cabling plan;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::string name = "s" + std::to_string(i);
    plan.nodes.push_back({1 + i, name, name, "", Cabling::NodeKind::switch_chip, false});
  }
  plan.cables = {{{0, 1}, {1, 1}, 0, ""}, {{0, 2}, {1, 2}, 0, ""}, {{1, 3}, {2, 3}, 0, ""}};
  Cabling fabric = plan;
  fabric.nodes.pop_back();
  fabric.cables.resize(1);
  const CablingComparison comparison = compare_cabling(plan, fabric);
  REQUIRE(comparison.statements.size() == 2);
  // A missing cable has two empty ports. A missing node has the port to which the plan connects it.
  std::vector<CablingPort> of_missing = comparison.statements[0].positions;
  std::ranges::sort(of_missing);
  CHECK(of_missing == std::vector<CablingPort>{{1, 2}, {2, 2}});
  CHECK(line_of(comparison.statements[1]) == "missing node: s2, with 1 cables (e.g. to s1 port 3)");
  CHECK(comparison.statements[1].positions == std::vector<CablingPort>{{2, 3}});
}

TEST_CASE("a plan of another fabric is refused") {
  Cabling other = small_plan();
  for (Cabling::Node& node : other.nodes) {
    node.guid += 1000;
    node.name = node.identity = "x" + node.name;
  }
  CHECK_THROWS_AS(compare_cabling(small_plan(), other), Error);
}

TEST_CASE("a cable list written from a fabric matches the fabric") {
  for (const char* specification : {"chic", "deimos", "k-ary-n-tree 3 3 --shuffle-guids"}) {
    const Fabric fabric = make_fabric(specification);
    const CableList list = parse_cable_list(to_cable_list(fabric), "list");
    CHECK(list.warnings.empty());
    const CablingComparison same = compare_cabling(cabling_of(list), cabling_of(fabric));
    CHECK(same.statements.empty());
    CHECK(same.cables_in_place == cabling_of(fabric).cables.size());
  }
}

TEST_CASE("a cable list may name director modules, hosts without an adapter, and second ports") {
  FabricBuilder builder;
  const NodeId leaf = builder.add_switch(0x10, 9, "", "MF0;Leaf:MQM/U1");
  const NodeId line = builder.add_switch(0x20, 9, "", "MF0;core:CS8/L02/U1");
  const NodeId spine = builder.add_switch(0x30, 9, "", "MF0;core:CS8/S01/U1");
  const auto adapter = [&](Guid guid, unsigned ports, const char* name, PortNumber port) {
    const NodeId node = builder.add_adapter(guid, ports, EndPortKind::channel_adapter, "", name);
    builder.connect(leaf, port, node, 1, LinkRate{4, 25'000});
    return node;
  };
  adapter(0x100, 1, "n1 mlx5_0", 1);
  builder.connect(leaf, 3, adapter(0x200, 2, "n2 HCA-1", 2), 2, {});
  adapter(0x300, 1, "n3 mlx5_0", 4);
  adapter(0x400, 1, "n3 mlx5_1", 5);
  builder.connect(leaf, 9, line, 1, {});
  builder.connect(line, 2, spine, 1, {});
  const Cabling fabric = cabling_of(std::move(builder).build());
  const auto said = [&](const std::string& rows) {
    const CableList list =
        parse_cable_list("StartDevice,StartPort,EndDevice,EndPort,Speed\n" + rows, "list");
    return lines_of(cabling_of(list), fabric);
  };
  const std::string rest =
      "n2,n2 HCA-1 Port 2,leaf,PORT 3,\nn2,n2 hca-1 port 1,leaf,Port 2,\n"
      "n3,mlx5_0,leaf,Port 4,\nn3,n3 mlx5_1,leaf,Port 5,\nCore,Blade 2_Port 1/1,leaf,Port 9,\n";
  CHECK(said("leaf,Port 1,n1,1,\n" + rest).empty());
  CHECK(said("leaf,Port 1,n1,mlx5_0,100000\n" + rest).empty());
  CHECK(said("leaf,Port 1,n1,mlx5_0,200000\n" + rest) ==
        Lines{"slower: leaf port 1 - n1 mlx5_0 runs at 100000 Mbit/s, planned 200000 Mbit/s"});
  CHECK(said("leaf,Port 6,n1,1,\n" + rest) ==
        Lines{"moved: n1 mlx5_0 is at leaf port 1, planned port 6"});
  CHECK(said("leaf,Port 1,n1,mlx5_0,\ncore,Blade 3_Port 1/1,leaf,Port 8,\n" + rest) ==
        Lines{"missing_node: core/l3/u1, with 1 cables (e.g. to leaf port 8)"});
  CHECK(said(rest) == Lines{"unknown_node: n1 mlx5_0, at leaf port 1"});
}

TEST_CASE("overlapping exchanges need no more moves than were made") {
  const Cabling plan = made("xgft 6,6 1,4");
  std::size_t longest = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomGenerator random = random_stream(seed, 3, 0);
    Cabling fabric = plan;
    const auto any = [&] {
      return random.below(static_cast<std::uint32_t>(std::min<std::size_t>(8, plan.cables.size())));
    };
    const std::size_t exchanges = 1 + random.below(6);
    for (std::size_t i = 0; i < exchanges; ++i)
      std::swap(fabric.cables[any()].b, fabric.cables[any()].b);
    std::size_t moves = 0;
    for (const CablingStatement& each : compare_cabling(plan, shuffled(fabric, seed)).statements) {
      CHECK(each.fault == CablingFault::swapped);
      CHECK(each.moves.size() + 1 == each.count);
      moves += each.moves.size();
    }
    CHECK(moves <= exchanges);
    longest = std::max(longest, moves);
  }
  CHECK(longest >= 4);
}

TEST_CASE("injected faults are found in a fabric with shuffled ports and GUIDs") {
  const Cabling plan = made("xgft 6,6 1,4 --permute-ports --shuffle-guids --seed 9");
  Score score;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) add_run(plan, 3, 4, seed, score);
  CHECK(score.named == score.faults);
  CHECK(score.statements == score.faults);
}

}  // namespace
}  // namespace pssp
