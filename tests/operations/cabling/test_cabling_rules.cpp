#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <set>

#include "base/file_io.h"
#include "fabric/formats/topology_file.h"
#include "fabric/input/fabric_input.h"
#include "operations/cabling/cabling_rules.h"
#include "tests/fabric/formats/format_testing.h"
#include "tests/source_folder.h"

namespace pssp {
namespace {

constexpr LinkRate hdr{4, 50'000}, edr{4, 25'000};

/// Six nodes with four adapters each: adapter r of node n is at port n of leaf r. Each of the two
/// spines has two links to each leaf, at leaf ports 11 .. 14.
class RailFabric {
 public:
  RailFabric() {
    for (unsigned r = 0; r < 4; ++r) add_switch(fmt::format("leaf{}", r));
    for (unsigned s = 0; s < 2; ++s) add_switch(fmt::format("spine{}", s));
    for (unsigned n = 1; n <= 6; ++n) {
      for (unsigned r = 0; r < 4; ++r) add_adapter(fmt::format("node{} mlx5_{}", n, r), r, n);
    }
    for (unsigned r = 0; r < 4; ++r) {
      for (unsigned s = 0; s < 4; ++s) {
        builder.connect(NodeId(r), port(11 + s), NodeId(4 + s / 2), port(2 * r + s % 2 + 1), hdr);
      }
    }
  }

  static PortNumber port(unsigned number) { return static_cast<PortNumber>(number); }

  void add_adapter(const std::string& name, unsigned leaf, unsigned leaf_port) {
    const NodeId node = builder.add_adapter(guid_ += 16, 1, EndPortKind::channel_adapter, "", name);
    if (leaf_port != 0) builder.connect(NodeId(leaf), port(leaf_port), node, 1, hdr);
  }

  /// Moves adapter `rail` of node `n` to a port of another leaf; port 0: disconnects it.
  void move(unsigned n, unsigned rail, unsigned leaf, unsigned leaf_port) {
    const NodeId node(6 + (n - 1) * 4 + rail);
    builder.disconnect(node, 1);
    if (leaf_port != 0) builder.connect(NodeId(leaf), port(leaf_port), node, 1, hdr);
  }

  std::vector<std::string> lines() {
    builder.assign_lids();
    const Fabric fabric = std::move(builder).build();
    std::vector<std::string> lines;
    for (const CablingStatement& each : check_cabling_rules(fabric, NodeRails(fabric))) {
      lines.push_back(std::string(word_of(each.fault)) + ": " + each.text);
    }
    return lines;
  }

  FabricBuilder builder;

 private:
  void add_switch(const std::string& name) { builder.add_switch(guid_ += 16, 20, "", name); }
  Guid guid_ = 0x1000;
};
using Lines = std::vector<std::string>;

TEST_CASE("a fabric in which all peers agree has no statements") {
  CHECK(RailFabric().lines().empty());
}

TEST_CASE("exchanged rails are found, and an adapter at the leaf of another rail") {
  RailFabric swapped;
  swapped.move(3, 1, 9, 0);
  swapped.move(3, 2, 1, 3);
  swapped.move(3, 1, 2, 3);
  CHECK(swapped.lines() == Lines{"swapped: node3/mlx5_1 and node3/mlx5_2: exchange the two cables "
                                 "there, now at leaf2 port 3 and leaf1 port 3"});
  RailFabric wrong;
  wrong.move(2, 0, 3, 10);
  CHECK(wrong.lines() ==
        Lines{"wrong_rail: node2/mlx5_0 is at leaf3 port 10; at least two thirds of the adapters "
              "at this switch belong to another rail"});
}

TEST_CASE("no rail is wrong if its peers are spread over leaves, or if a leaf has no rail") {
  RailFabric managers;
  for (unsigned i = 1; i <= 2; ++i) {
    managers.add_adapter(fmt::format("manager{} mlx5_0", i), 2, 7 + i);
    managers.add_adapter(fmt::format("manager{} mlx5_1", i), 3, 7 + i);
  }
  CHECK(managers.lines().empty());
  RailFabric side_by_side;
  for (unsigned n = 1; n <= 6; ++n) {
    for (unsigned r = 0; r < 4; ++r) side_by_side.move(n, r, 0, 0);
  }
  for (unsigned n = 1; n <= 6; ++n) {
    for (unsigned r = 0; r < 2; ++r) side_by_side.move(n, r, n % 2, 2 * (n / 2) + r + 1);
    for (unsigned r = 2; r < 4; ++r) side_by_side.move(n, r, 2 + n % 2, 2 * (n / 2) + r + 1);
  }
  CHECK(side_by_side.lines().empty());
}

TEST_CASE("missing adapters, links and speeds are found by comparison with the peers") {
  RailFabric fabric;
  fabric.move(4, 2, 0, 0);
  fabric.move(5, 2, 0, 0);
  fabric.builder.disconnect(NodeId(1), 12);
  fabric.builder.set_rate(NodeId(2), 13, edr);
  fabric.builder.set_rate(*fabric.builder.find_node(fabric.builder.guid(NodeId(5))), 6, edr);
  CHECK(fabric.lines() ==
        Lines{"slower: leaf2 port 13 - spine1 port 5 runs at 4xEDR (100000 Mbit/s), most other "
              "links of both switches at 200000 Mbit/s or more",
              "fewer_rails: 2 nodes are without mlx5_2, which 4 peers have: node4, node5",
              "uneven_uplinks: leaf1 has 3 links to other switches, its peers have 4; no link at "
              "port 12"});
}

TEST_CASE("adapters are counted before their names are compared") {
  // Node 5 has four adapters at four leaves, two of them under other names.
  RailFabric renamed;
  renamed.move(5, 2, 0, 0);
  renamed.move(5, 3, 0, 0);
  renamed.add_adapter("node5 mlx5_12", 2, 5);
  renamed.add_adapter("node5 mlx5_13", 3, 5);
  CHECK(renamed.lines().empty());
  // Node 6 has three adapters, under names that no peer has.
  RailFabric fewer;
  for (unsigned r = 0; r < 4; ++r) fewer.move(6, r, 0, 0);
  for (unsigned r = 0; r < 3; ++r) fewer.add_adapter(fmt::format("node6 ibp{}s0f0", 9 * r), r, 6);
  CHECK(fewer.lines() ==
        Lines{"fewer_rails: 1 node is down to 3 of 4 adapters; 5 peers have all: node6"});
}

TEST_CASE("nodes are compared only with nodes of the same speed") {
  // Four nodes of an older generation have one adapter each, with a name like those of the others.
  RailFabric fabric;
  for (unsigned n = 7; n <= 10; ++n) {
    fabric.add_adapter(fmt::format("node{} mlx5_0", n), 0, n);
    fabric.builder.set_rate(NodeId(0), RailFabric::port(n), edr);
    fabric.builder.set_rate(NodeId(6 + 24 + (n - 7)), 1, edr);
  }
  CHECK(fabric.lines() == Lines{});
}

/// 272 nodes with eight adapters each in two pods of eight leaves. Nodes of three vendors have
/// their adapters in different slots. One node of each vendor lacks an adapter.
TEST_CASE(
    "a node with seven of eight adapters is found whatever the adapters of its peers are called") {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    std::mt19937_64 random(seed);
    FabricBuilder builder;
    for (unsigned s = 0; s < 16; ++s)
      builder.add_switch(0x1000 + s, 200, "", fmt::format("leaf{}", s));
    std::array<std::set<std::string>, 3> makes;
    for (std::set<std::string>& words : makes) {
      while (words.size() < 8) words.insert(fmt::format("ibp{}s0f0", random() % 220));
    }
    const std::array<unsigned, 3> lacking{static_cast<unsigned>(random() % 200),
                                          200 + static_cast<unsigned>(random() % 60),
                                          260 + static_cast<unsigned>(random() % 12)};
    const auto lost = static_cast<unsigned>(random() % 8);
    Guid guid = 0x10000;
    for (unsigned n = 0; n < 272; ++n) {
      unsigned rail = 0;
      for (const std::string& word : makes[n < 200 ? 0 : n < 260 ? 1 : 2]) {
        const unsigned leaf = n % 2 * 8 + rail++;
        if (rail - 1 == lost && std::ranges::count(lacking, n) != 0) continue;
        const NodeId node = builder.add_adapter(guid += 16, 1, EndPortKind::channel_adapter, "",
                                                fmt::format("sat{:03} {}", n, word));
        builder.connect(NodeId(leaf), RailFabric::port(1 + n / 2), node, 1, hdr);
      }
    }
    builder.assign_lids();
    const Fabric fabric = std::move(builder).build();
    std::set<std::string> found, expected;
    for (const CablingStatement& each : check_cabling_rules(fabric, NodeRails(fabric))) {
      if (each.fault == CablingFault::fewer_rails)
        found.insert(each.ports.begin(), each.ports.end());
    }
    for (const unsigned n : lacking) expected.insert(fmt::format("sat{:03}", n));
    CHECK(found == expected);
  }
}

TEST_CASE("a node with two adapters at one leaf is found whatever their names") {
  RailFabric fabric;
  fabric.move(4, 3, 0, 0);
  fabric.add_adapter("node4 mlx5_9", 1, 10);
  CHECK(fabric.lines() == Lines{"fewer_rails: 1 node is at 3 leaves with 4 adapters; 5 peers are "
                                "at 4: node4"});
}

TEST_CASE(
    "a node of a published fabric that lacks an adapter is found whatever its adapters are "
    "called") {
  const std::filesystem::path path = test::saved_fabric("hdr-666-switches.ibnetdiscover");
  if (path.empty()) {
    WARN("skipped: the saved fabric is not there");
    return;
  }
  const std::string text = read_file(path);
  for (const std::string word : {"mlx5_", "ibp"}) {
    for (const bool lacks_one : {false, true}) {
      TopologyFile file =
          parse_topology(test::replaced(text, "luna-0001 mlx5_", "luna-0001 " + word), "f");
      for (std::uint32_t n = 0; lacks_one && n < file.builder.node_count(); ++n) {
        if (file.builder.description(NodeId(n)) != "luna-0001 " + word + "9") continue;
        file.builder.disconnect(NodeId(n), 1);
      }
      const Fabric fabric = std::move(file.builder).build();
      std::vector<std::string> found;
      for (const CablingStatement& each : check_cabling_rules(fabric, NodeRails(fabric))) {
        if (each.fault == CablingFault::fewer_rails) found.push_back(each.text);
      }
      INFO(word);
      REQUIRE(found.size() == (lacks_one ? 1 : 0));
      if (!lacks_one) continue;
      CHECK_THAT(found[0], Catch::EndsWith("luna-0001") && Catch::Contains("457 peers have"));
    }
  }
}

TEST_CASE("exchanged rails, missing rails and uneven uplinks of a published fabric are found") {
  const char* const configured = std::getenv("PSSP_FABRICS_DIR");
  const std::filesystem::path folder = configured != nullptr
                                           ? std::filesystem::path(configured)
                                           : test::source_folder() / ".." / "shared" / "fabrics";
  const std::vector<std::filesystem::path> paths{folder / "ndr-40-switches.ibnetdiscover"};
  if (!std::filesystem::exists(paths.front())) {
    WARN("skipped: " << paths.front() << " is not there");
    return;
  }
  const Fabric fabric = read_fabric_input(paths).fabric;
  const auto statements = check_cabling_rules(fabric, NodeRails(fabric));
  REQUIRE(statements.size() == 7);
  CHECK(statements[0].fault == CablingFault::swapped);
  CHECK(statements[0].text.starts_with("b08-p1-dgx-08-c01/HCA-5 and b08-p1-dgx-08-c01/HCA-6: "));
  CHECK(statements[1].fault == CablingFault::fewer_rails);
  CHECK(statements[1].count == 10);
  for (std::size_t i = 2; i < 7; ++i) CHECK(statements[i].fault == CablingFault::uneven_uplinks);
}

}  // namespace
}  // namespace pssp
