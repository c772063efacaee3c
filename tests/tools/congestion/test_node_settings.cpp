#include <catch2/catch.hpp>

#include "base/error.h"
#include "congestion/profiles.h"
#include "fabric/builder.h"
#include "tools/congestion/node_report.h"
#include "tools/congestion/node_text.h"

using namespace pssp;

namespace {

/// Two switches with two links between them. An adapter, an aggregation node and a router are at
/// the first switch, an adapter without a LID at the second. Port 6 of the first switch is empty.
Fabric sample_fabric() {
  FabricBuilder builder;
  const NodeId a = builder.add_switch(0x10, 6, "A", "leaf a");
  const NodeId b = builder.add_switch(0x20, 4, "B", "B");
  const NodeId host = builder.add_adapter(0x30, 1, EndPortKind::channel_adapter, "H", "host");
  const NodeId sharp = builder.add_adapter(0x40, 1, EndPortKind::aggregation_node, "G", "sharp");
  const NodeId router = builder.add_adapter(0x50, 1, EndPortKind::router, "R", "router");
  const NodeId mute = builder.add_adapter(0x60, 1, EndPortKind::channel_adapter, "M", "no LID");
  builder.connect(a, 1, host, 1, {});
  builder.connect(a, 2, b, 1, {});
  builder.connect(a, 3, b, 2, {});
  builder.connect(a, 4, sharp, 1, {});
  builder.connect(a, 5, router, 1, {});
  builder.connect(b, 3, mute, 1, {});
  builder.set_lid(a, 0, 1, 0);
  builder.set_lid(b, 0, 2, 0);
  builder.set_lid(host, 1, 3, 0);
  builder.set_lid(sharp, 1, 4, 0);
  builder.set_lid(router, 1, 5, 0);
  return std::move(builder).build();
}

}  // namespace

TEST_CASE("switches and adapters with a LID are nodes, and ports have the role of their cable") {
  const CcNodes found = congestion_nodes(sample_fabric());
  REQUIRE(found.nodes.size() == 4);
  CHECK(found.without_lid == 1);
  const CcNode& a = found.nodes[0];
  using enum PortRole;
  CHECK(a.roles == std::vector{unconnected, host_facing, switch_facing, switch_facing, host_facing,
                               host_facing, unconnected});
  CHECK(label(a) == "switch A (leaf a), LID 1");
  CHECK(label(found.nodes[1]) == "switch B, LID 2");
  CHECK(label(found.nodes[2]) == "adapter H (host), LID 3");
  CHECK(found.nodes[3].description == "sharp");
  CHECK(count_text(found.nodes) == "2 switches and 2 adapter ports");
}

TEST_CASE("nodes are selected by GUID, name and description") {
  const std::vector<CcNode> nodes = congestion_nodes(sample_fabric()).nodes;
  CHECK(select_nodes(nodes, {}).size() == 4);
  CHECK(select_nodes(nodes, std::vector<std::string>{"0x10", "H"}).size() == 2);
  CHECK(select_nodes(nodes, std::vector<std::string>{"sharp", "G"}).size() == 1);
  CHECK_THROWS_AS(select_nodes(nodes, std::vector<std::string>{"A", "nobody"}), Error);
  CHECK_THROWS_AS(select_nodes(nodes, std::vector<std::string>{"0x99"}), Error);
}

TEST_CASE("the victim mask of the thesis contains the host-facing ports") {
  const std::vector<CcNode> nodes = congestion_nodes(sample_fabric()).nodes;
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  const SwitchSetting a = setting_of_switch(set.switches, nodes[0].roles);
  CHECK(a.victim_mask.to_ulong() == 0b0110010);
  const SwitchSetting b = setting_of_switch(set.switches, nodes[1].roles);
  CHECK(b.victim_mask.to_ulong() == 0b1000);
  // The table is sent before the setting.
  const auto requests = set_requests(nodes[2], set);
  REQUIRE(requests.size() == 4);
  CHECK(requests[0].attribute == CcAttribute::table);
  CHECK(requests[2].modifier == 2);
  CHECK(requests[3].attribute == CcAttribute::adapter_setting);
}

TEST_CASE("a switch gets no requests if the parameter set has no switch parameters") {
  const std::vector<CcNode> nodes = congestion_nodes(sample_fabric()).nodes;
  const CongestionParameters set;
  CHECK(set_requests(nodes[0], set).empty());
  CHECK(set_requests(nodes[2], set).size() == 2);
}

TEST_CASE("only differences in parameters of the set are reported") {
  const std::vector<CcNode> nodes = congestion_nodes(sample_fabric()).nodes;
  CongestionParameters set = load_congestion_parameters("thesis-mesh");
  const CcNode& node = nodes[0];
  NodeReading reading = intended_reading(node, set);
  CHECK(differences(node, reading, set).empty());
  reading.switch_setting.victim_mask.set(200);  // a port that does not exist
  reading.switch_setting.credit_mask.set(1);    // not in the control map
  reading.switch_setting.control_map = 0;       // the map of the last change is not compared
  CHECK(differences(node, reading, set).empty());
  reading.switch_setting.marking_rate = 7;
  const auto found = differences(node, reading, set);
  REQUIRE(found.size() == 1);
  CHECK(found[0].name == "switch.marking_rate");
  CHECK(found[0].found == "7");
  CHECK(found[0].expected == "1");
}

TEST_CASE("adapter differences are grouped by service level, and table entries are listed") {
  const std::vector<CcNode> nodes = congestion_nodes(sample_fabric()).nodes;
  CongestionParameters set = load_congestion_parameters("thesis-mesh");
  set.adapters.control_map = 0x000f;
  const CcNode& node = nodes[2];
  NodeReading reading = intended_reading(node, set);
  reading.adapter.sl[9].ccti_min = 3;  // not in the control map
  CHECK(differences(node, reading, set).empty());
  reading.adapter.sl[1].ccti_min = reading.adapter.sl[2].ccti_min = 3;
  reading.table.resize(100);
  reading.table[40].multiplier = 9999;
  const auto found = differences(node, reading, set);
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "adapter.ccti_min (SL 1-2)");
  CHECK(found[1].name == "table.ccti_limit");
  CHECK(found[1].found == "99");
  CHECK(found[1].expected == "128");
  CHECK(found[2].name == "table entry 40");
}

TEST_CASE("nodes with the same lines are listed together") {
  std::vector<CcNode> nodes;
  for (Lid lid = 1; lid <= 12; ++lid) nodes.push_back({false, lid, lid, "H", "", {}});
  std::vector<NodeLines> lines;
  for (const CcNode& node : nodes) lines.push_back({&node, {node.lid == 5 ? "odd" : "same"}});
  const std::string grouped = node_list(lines, false);
  CHECK_THAT(grouped, Catch::Matchers::Contains("and 3 more"));
  CHECK_THAT(grouped, Catch::Matchers::EndsWith("LID 5\n      odd\n"));
  const std::string each = node_list(lines, true);
  CHECK(std::count(each.begin(), each.end(), '\n') == 24);
}
