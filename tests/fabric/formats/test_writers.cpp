#include <fmt/format.h>

#include <array>
#include <sstream>

#include "fabric/formats/lft_matching.h"
#include "fabric/formats/lft_writer.h"
#include "fabric/formats/net_file_writer.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::check_equal;
using test::sample_text;

Fabric fabric_written(std::string_view text) {
  return std::move(parse_topology(text, "topo").builder).build();
}

TEST_CASE("written tables equal those of opensm byte by byte") {
  for (const char* const lmc : {"lmc0", "lmc2"}) {
    const std::string prefix = std::string("golden/") + lmc;
    const std::string opensm = sample_text(prefix + ".opensm-lfts.dump");
    for (const std::string& dump :
         {prefix + ".opensm-lfts.dump", prefix + ".dump_fts", prefix + ".opensm.fdbs"}) {
      INFO(dump);
      const MatchedTables matched = match_tables(
          read_topology(test::sample(prefix + ".ibnetdiscover")), read_lft(test::sample(dump)));
      CHECK(to_lft_dump(matched.fabric, matched.tables) == opensm);
    }
  }
}

TEST_CASE("LIDs without an owner and entries for missing ports are written as by opensm") {
  FabricBuilder builder;
  const NodeId s = builder.add_switch(0x10, 2, "", "only");
  builder.set_lid(s, 0, 3, 0);
  const Fabric fabric = std::move(builder).build();
  ForwardingTables tables(1, 3);
  tables.set(SwitchId(0), 1, 2);
  tables.set(SwitchId(0), 2, 3);
  tables.set(SwitchId(0), 3, 0);
  CHECK(to_lft_dump(fabric, tables) ==
        "Unicast lids [0-3] of switch Lid 3 guid 0x0000000000000010 ('only'):\n"
        "0x0001 002 # unknown node and type\n"
        "0x0003 000 # Switch portguid 0x0000000000000010: 'only'\n"
        "3 lids dumped\n");
}

TEST_CASE("a written net file is read as the same fabric") {
  for (const char* const name :
       {"golden/small.net", "golden/lmc0.ibnetdiscover", "golden/lmc2.ibnetdiscover"}) {
    INFO(name);
    const Fabric fabric = fabric_written(sample_text(name));
    const std::string written = to_net_file(fabric);
    TopologyFile again = parse_topology(written, "written");
    CHECK(again.warnings.empty());
    const Fabric second = std::move(again.builder).build();
    check_equal(fabric, second);
    CHECK(to_net_file(second) == written);
  }
}

TEST_CASE("saved real fabrics are the same after they are written and read again") {
  for (const char* const name :
       {"hdr-666-switches.ibnetdiscover", "ndr-40-switches.ibnetdiscover"}) {
    const std::filesystem::path path = test::saved_fabric(name);
    if (path.empty()) {
      WARN("skipped: no saved fabric " << name);
      continue;
    }
    const Fabric fabric = std::move(read_topology(path).builder).build();
    check_equal(fabric, fabric_written(to_net_file(fabric)));
  }
}

/// A random multigraph with all features that a net file can express.
Fabric random_fabric(std::mt19937& random) {
  const auto below = [&random](unsigned n) { return static_cast<unsigned>(random() % n); };
  FabricBuilder builder;
  std::vector<NodeId> nodes;
  unsigned lid = 8;
  const bool has_lids = below(2) == 0;
  for (unsigned i = 0; i < 3 + below(5); ++i) {
    const Guid guid = 0x1000 + 0x100 * random() % 0xFFFF0 + i;
    const unsigned ports = 4 + below(6);
    const std::string name = below(2) == 0 ? "" : fmt::format("sw {}", i);
    const NodeId s =
        builder.add_switch(guid, ports, name, fmt::format("switch \"{}\" #{}", i, below(9)));
    if (has_lids) builder.set_lid(s, 0, lid++, 0);
    nodes.push_back(s);
  }
  for (unsigned i = 0; i < 8; ++i) {
    constexpr std::array kinds{EndPortKind::channel_adapter, EndPortKind::aggregation_node,
                               EndPortKind::router};
    const EndPortKind kind = kinds[below(3)];
    const std::string description = kind == EndPortKind::aggregation_node
                                        ? "Mellanox Technologies Aggregation Node"
                                        : fmt::format("host {}", i);
    nodes.push_back(builder.add_adapter(0xA00000 + 16 * i, 1 + below(3), kind, "", description));
  }
  constexpr std::array<LinkRate, 3> rates{{{}, {4, 25000}, {2, 50000}}};
  for (unsigned i = 0; i < 60; ++i) {
    const NodeId a = nodes[below(static_cast<unsigned>(nodes.size()))];
    const NodeId b = nodes[below(static_cast<unsigned>(nodes.size()))];
    if (a == b || !(builder.is_switch(a) || builder.is_switch(b))) continue;
    const auto port_a = static_cast<PortNumber>(1 + below(builder.ports(a)));
    const auto port_b = static_cast<PortNumber>(1 + below(builder.ports(b)));
    if (builder.is_connected(a, port_a) || builder.is_connected(b, port_b)) continue;
    builder.connect(a, port_a, b, port_b, rates[below(3)]);
    for (const auto& [node, port] : {std::pair(a, port_a), std::pair(b, port_b)}) {
      if (builder.is_switch(node)) continue;
      if (below(2) == 0) builder.set_port_guid(node, port, builder.guid(node) + 8 + port);
      const unsigned lmc = below(3);
      if (!has_lids) continue;
      lid = (lid + (1U << lmc) - 1) & ~((1U << lmc) - 1);
      builder.set_lid(node, port, lid, lmc);
      lid += 1U << lmc;
    }
  }
  // Some ports without a cable have a LID, as if they had lost the cable.
  for (const NodeId node : nodes) {
    if (!has_lids || builder.is_switch(node) || builder.is_connected(node, 1) || below(2) == 0) {
      continue;
    }
    lid = (lid + 3U) & ~3U;
    builder.set_lid(node, 1, lid, 2);
    lid += 4;
  }
  return std::move(builder).build();
}

TEST_CASE("a host with a cable to a switch that is missing in the file keeps its LID") {
  const std::string text =
      "switchguid=0x10(10)\nSwitch\t4 \"S-10\"\t\t# \"sw\" base port 0 lid 0 lmc 0\n"
      "caguid=0x30\nCa\t2 \"H-30\"\t\t# \"h1\"\n"
      "[1](31)\t\"S-99\"[1]\t\t# lid 4 lmc 1 \"gone\" lid 9 4xHDR\n";
  TopologyFile file = parse_topology(text, "file");
  CHECK(file.builder.has_lids());
  const Fabric fabric = std::move(file.builder).build();
  const std::string written = to_net_file(fabric);
  TopologyFile again = parse_topology(written, "written");
  CHECK(again.warnings.empty());
  CHECK(again.builder.has_lids());
  const Fabric second = std::move(again.builder).build();
  check_equal(fabric, second);
  CHECK(second.end_port(EndPortId(0)).lid == 4);
  CHECK(second.end_port(EndPortId(0)).lmc == 1);
  CHECK(second.end_port(EndPortId(0)).port_guid == 0x31);
}

TEST_CASE("comments that only resemble a port without a cable are ignored") {
  for (const char* comment :
       {"# port 1 (31) lid 4 lmc 1", "# port 1 (31) lid 4 lmc 1 without a cable.",
        "# port 3 (31) lid 4 lmc 1 without a cable", "# port 1 (31) lid 0 lmc 1 without a cable",
        "# port 1 (31) lid 65536 lmc 1 without a cable", "#[1](31) \"S-10\"[1] # lid 4 lmc 1",
        "# port 1 31 lid 4 lmc 1 without a cable", "# port 1 (31) lid 4 lmc 8 without a cable"}) {
    INFO(comment);
    TopologyFile file =
        parse_topology(fmt::format("Switch 4 \"S-10\"\nCa 2 \"H-30\"\n{}\n", comment), "file");
    CHECK_FALSE(file.builder.has_lids());
  }
}

TEST_CASE("random fabrics are the same after they are written and read again") {
  std::mt19937 random = test::repeatable_random(5);
  for (unsigned round = 0; round < 200; ++round) {
    INFO("round " << round);
    const Fabric fabric = random_fabric(random);
    TopologyFile again = parse_topology(to_net_file(fabric), "written");
    CHECK(again.warnings.empty());
    check_equal(fabric, std::move(again.builder).build());
  }
}

TEST_CASE("written names, descriptions and lines respect the limits of ibsim") {
  FabricBuilder builder;
  const NodeId hash = builder.add_switch(0x10, 4, "a#b", std::string(200, 'x'));
  const NodeId at = builder.add_switch(0x11, 254, std::string(65, 'n'), "two\nlines");
  const NodeId twin1 = builder.add_adapter(0x20, 1, EndPortKind::channel_adapter, "twin", "");
  const NodeId twin2 =
      builder.add_adapter(0x30, 1, EndPortKind::channel_adapter, "twin", std::string(64, '"'));
  builder.connect(hash, 1, at, 254, {12, 100000});
  builder.connect(hash, 2, twin1, 1, {});
  builder.connect(at, 253, twin2, 1, {12, 100000});
  builder.set_port_guid(twin2, 1, 0xFFFFFFFFFFFFFFFF);
  const std::string text = to_net_file(std::move(builder).build());
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() < 255);
  TopologyFile again = parse_topology(text, "written");
  CHECK(again.warnings.empty());
  const Fabric fabric = std::move(again.builder).build();
  CHECK(fabric.switches()[0].name == "S-0000000000000010");
  CHECK(fabric.switches()[0].description == std::string(64, 'x'));
  CHECK(fabric.switches()[1].name == "S-0000000000000011");
  CHECK(fabric.switches()[1].description == "two lines");
  CHECK(fabric.end_ports()[0].name == "twin");
  CHECK(fabric.end_ports()[1].name == "H-0000000000000030");
  CHECK(fabric.end_ports()[1].description == std::string(64, '"'));
  CHECK(fabric.channel_count() == 2);
}

TEST_CASE("to_net_file is deterministic") {
  const Fabric fabric = fabric_written(sample_text("golden/small.net"));
  CHECK(to_net_file(fabric) == to_net_file(fabric_written(sample_text("golden/small.net"))));
}

}  // namespace
}  // namespace pssp
