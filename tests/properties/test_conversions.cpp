// Reads random fabrics in three topology formats, which this test writes, and converts them to the
// output formats. Independent counts of lines check that everything in the input is in the output
// or in a warning.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fabric/formats/cable_list.h"
#include "fabric/formats/ibdiagnet_database.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/omnet/omnet_writer.h"
#include "fabric/formats/orcs/dot_writer.h"
#include "fabric/formats/subnet_list.h"
#include "fabric/formats/topology_file.h"
#include "fabric/input/conversion_losses.h"
#include "tests/fabric/formats/format_testing.h"
#include "tests/properties/plan_text.h"
#include "tests/properties/random_plan.h"

namespace pssp {
namespace {

using test::count_of;
using test::Inventory;
using test::inventory_of;
using test::lines_of;
using test::PlannedCable;
using test::PlannedLids;
using test::PlannedNode;
using test::PlannedPort;
using test::RandomPlan;

/// Number of LIDs in the plan: 2^LMC for each port with LIDs.
std::size_t lids_of(const RandomPlan& plan) {
  std::size_t lids = 0;
  for (const PlannedLids& each : plan.lids) lids += std::size_t{1} << each.lmc;
  return lids;
}

void check_net(const std::string& text, const Fabric& fabric) {
  const Inventory in = inventory_of(text), out = inventory_of(to_net_file(fabric));
  CHECK(in.nodes == out.nodes);
  CHECK(in.names == out.names);
  CHECK(in.cable_ends == out.cable_ends);
  CHECK(in.lids == out.lids);
  CHECK_FALSE(conversion_losses(fabric, OutputNotation::net, nullptr).any());
}

/// A graph has a node for each adapter port that is cabled to a switch.
void check_dot(const RandomPlan& plan, const Fabric& fabric) {
  const ConversionLosses losses = conversion_losses(fabric, OutputNotation::dot, nullptr);
  const std::string graph = to_dot(fabric, nullptr, {});
  std::size_t switches = 0, ports = 0, edges = 0;
  for (const std::string& line : lines_of(graph)) {
    const bool is_edge = line.find("\" -> \"") != std::string::npos;
    edges += is_edge ? 1 : 0;
    switches += line.find("\"shape\"=\"box\"") != std::string::npos ? 1 : 0;
    ports += !is_edge && line.find("\"port_guid\"=\"0x") != std::string::npos ? 1 : 0;
  }
  std::size_t cabled_ports = 0, planned_switches = 0;
  std::set<std::size_t> cabled;
  for (const PlannedCable& cable : plan.cables) {
    for (const auto& [near, far] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)}) {
      if (plan.nodes[near.node].is_switch || !plan.nodes[far.node].is_switch) continue;
      cabled.insert(near.node);
      ++cabled_ports;
    }
  }
  for (const PlannedNode& node : plan.nodes) planned_switches += node.is_switch ? 1 : 0;
  CHECK(switches == planned_switches);
  CHECK(ports == cabled_ports);
  CHECK(switches + cabled.size() + losses.nodes == plan.nodes.size());
  CHECK(edges / 2 + losses.cables == plan.cables.size());
  CHECK(losses.lids == lids_of(plan));
}

void check_ned(const RandomPlan& plan, const Fabric& fabric) {
  const ConversionLosses losses = conversion_losses(fabric, OutputNotation::ned, nullptr);
  const std::string network = to_omnet_ned(fabric);
  CHECK(count_of(network, "--> { delay") / 2 + losses.cables == plan.cables.size());
  CHECK(count_of(network, ": HCA;") == fabric.endpoints().size());
  std::set<Guid> hosts;
  for (const EndPortId e : fabric.endpoints()) hosts.insert(fabric.end_port(e).node_guid);
  CHECK(count_of(network, ": Switch {") + hosts.size() + losses.nodes == plan.nodes.size());
  CHECK(losses.lids == lids_of(plan));
}

void check_list(const RandomPlan& plan, const Fabric& fabric) {
  const ConversionLosses losses = conversion_losses(fabric, OutputNotation::cable_list, nullptr);
  const std::string list = to_cable_list(fabric);
  CHECK(count_of(list, ",Data\r\n") + losses.cables == plan.cables.size());
  CHECK(losses.lids == lids_of(plan));
  // Reading the list back gives the same number of rows.
  CHECK(parse_cable_list(list, "list").rows.size() == count_of(list, ",Data\r\n"));
}

std::string list_end(const RandomPlan& plan, const std::vector<std::string>& names,
                     PlannedPort port) {
  const PlannedNode& node = plan.nodes[port.node];
  const char* const type = node.is_switch ? "SW" : node.kind == EndPortKind::router ? "Rt" : "CA";
  return fmt::format(
      "{{ {} Ports:{:02X} SystemGUID:{:016X} NodeGUID:{:016X} PortGUID:{:016X} VenID:000002C9 "
      "DevID:0000BD36 Rev:00000000 {{{}}} LID:{:04X} PN:{:02X} }}",
      type, node.ports, node.guid, node.guid, node.guid + (node.is_switch ? 0 : port.port),
      names[port.node], lids_at(plan, node.is_switch ? PlannedPort{port.node, 0} : port).first,
      port.port);
}

/// Writes opensm-subnet.lst, which lists each link from both ends, and the expected contents in the
/// form of inventory_of(). Every eleventh link is down; `down` counts the lines of such links.
std::pair<std::string, Inventory> subnet_list(const RandomPlan& plan,
                                              const std::vector<std::string>& names,
                                              std::size_t& down) {
  std::string text;
  Inventory held;
  std::set<std::size_t> seen;
  std::set<PlannedPort> with_lids;
  const auto id = [&](std::size_t n) {
    const PlannedNode& node = plan.nodes[n];
    const bool is_router = node.kind == EndPortKind::router && !node.is_switch;
    return is_router ? fmt::format("R-{:016x}", node.guid) : test::plan_id(node);
  };
  for (std::size_t c = 0; c < plan.cables.size(); ++c) {
    const PlannedCable& cable = plan.cables[c];
    const std::string rate = to_string(cable.rate);  // "4xQDR"
    const bool is_down = c % 11 == 7;
    down += is_down ? 2 : 0;
    for (const auto& [near, far] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)}) {
      const std::string speed = rate.ends_with("QDR") ? "10" : rate.empty() ? "?" : "2.5";
      text += fmt::format("{} {} PHY={} LOG={} SPD={}\n", list_end(plan, names, near),
                          list_end(plan, names, far), rate.substr(0, rate.find('x') + 1),
                          is_down ? "DWN" : "ACT", speed);
      const PlannedNode& node = plan.nodes[near.node];
      if (seen.insert(near.node).second) {
        const char* const type = node.is_switch                     ? "Switch"
                                 : node.kind == EndPortKind::router ? "Rt"
                                                                    : "Ca";
        held.nodes.insert(fmt::format("{} {} {}", type, node.ports, id(near.node)));
        held.names.insert(id(near.node) + " " + names[near.node]);
      }
      const PlannedPort owner = node.is_switch ? PlannedPort{near.node, 0} : near;
      if (const unsigned lid = lids_at(plan, owner).first;
          lid != 0 && with_lids.insert(owner).second) {
        const std::string place = node.is_switch ? "" : fmt::format("[{}]", near.port);
        held.lids.insert(fmt::format("{}{} lid {} lmc 0", id(near.node), place, lid));
      }
      if (is_down) continue;
      held.cable_ends.insert(
          fmt::format("{}[{}] {}[{}] {}", id(near.node), near.port, id(far.node), far.port, rate));
    }
  }
  return {text, held};
}

TEST_CASE("parse_subnet_list reads everything in opensm-subnet.lst or reports it as left out") {
  const test::PlanSeeds seeds = test::seeds_from_environment();
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    const RandomPlan plan = test::draw_plan(seed);
    if (plan.cables.empty()) continue;
    INFO("seed " << seed << ": " << plan.recipe);
    std::size_t down = 0;
    const auto [text, in] = subnet_list(plan, test::odd_names(plan, seed), down);
    TopologyFile file = parse_subnet_list(text, "list");
    CHECK(test::warned_of(file.warnings, "link\\(s\\) that are down") == down);
    CHECK(test::warned_of(file.warnings, "unknown rate\\(s\\)") == count_of(text, "SPD=?"));
    const Inventory out = inventory_of(to_net_file(std::move(file.builder).build()));
    CHECK(in.nodes == out.nodes);
    CHECK(in.names == out.names);
    CHECK(in.cable_ends == out.cable_ends);
    CHECK(in.lids == out.lids);
  }
}

/// Writes ibdiagnet2.db_csv, in which every eleventh link is down.
std::string ibdiagnet_database(const RandomPlan& plan, const std::vector<std::string>& names) {
  std::map<PlannedPort, const PlannedCable*> cabled;
  std::set<PlannedPort> down;
  std::string links, nodes, ports;
  for (std::size_t c = 0; c < plan.cables.size(); ++c) {
    const PlannedCable& cable = plan.cables[c];
    for (const PlannedPort end : {cable.a, cable.b}) cabled[end] = &cable;
    if (c % 11 == 7) down.insert(c % 2 == 0 ? cable.a : cable.b);
    links += fmt::format("0x{:x},{},0x{:x},{}\n", plan.nodes[cable.a.node].guid, cable.a.port,
                         plan.nodes[cable.b.node].guid, cable.b.port);
  }
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const PlannedNode& node = plan.nodes[n];
    const int type = node.is_switch ? 2 : node.kind == EndPortKind::router ? 3 : 1;
    nodes += fmt::format("0x{:x},{},\"{}\",{}\n", node.guid, type, names[n], node.ports);
    for (unsigned port = node.is_switch ? 0 : 1; port <= node.ports; ++port) {
      const PlannedPort here{n, port};
      const PlannedLids lids = test::lids_at(plan, here);
      const auto at = cabled.find(here);
      const std::string rate = at == cabled.end() ? "" : to_string(at->second->rate);
      const int lanes = std::atoi(rate.c_str());
      const int width = lanes == 12 ? 8 : lanes == 8 ? 4 : lanes == 4 ? 2 : lanes == 2 ? 16 : lanes;
      ports += fmt::format("{},{},0x{:x},{},{},{},{}\n", lids.first, lids.lmc, node.guid, port,
                           width, rate.ends_with("QDR") ? 4 : 1, down.contains(here) ? 1 : 4);
    }
  }
  return fmt::format(
      "START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n{}END_LINKS\nSTART_NODES\nNodeGUID,"
      "NodeType,NodeDesc,NumPorts\n{}END_NODES\nSTART_PORTS\nLID,LMC,NodeGuid,PortNum,"
      "LinkWidthActv,LinkSpeedActv,PortState\n{}END_PORTS\n",
      links, nodes, ports);
}

TEST_CASE(
    "parse_ibdiagnet_database reads everything in ibdiagnet2.db_csv or reports it as left out") {
  const test::PlanSeeds seeds = test::seeds_from_environment();
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    RandomPlan plan = test::draw_plan(seed);
    if (plan.nodes.empty()) continue;
    const std::vector<std::string> names = test::odd_names(plan, seed);
    const std::string text = ibdiagnet_database(plan, names);
    INFO("seed " << seed << ": " << plan.recipe << "\n" << text);
    TopologyFile file = parse_ibdiagnet_database(text, "db");
    std::vector<PlannedCable> live;
    std::size_t unstated = 0;
    for (std::size_t c = 0; c < plan.cables.size(); ++c) {
      if (c % 11 == 7) continue;
      live.push_back(plan.cables[c]);
      unstated += to_string(plan.cables[c].rate).empty() ? 1 : 0;
    }
    CHECK(test::warned_of(file.warnings, "link\\(s\\) that are down") ==
          plan.cables.size() - live.size());
    CHECK(test::warned_of(file.warnings, "link\\(s\\) without a known rate") == unstated);
    plan.cables = live;
    std::string expected = test::net_text(plan, names);
    for (const PlannedNode& node : plan.nodes) {
      if (node.is_switch || node.kind != EndPortKind::router) continue;
      const std::string id = test::plan_id(node);
      expected = test::replaced(expected, id, "R" + id.substr(1));
    }
    const Inventory in = inventory_of(expected);
    const Inventory out = inventory_of(to_net_file(std::move(file.builder).build()));
    CHECK(in.nodes == out.nodes);
    CHECK(in.names == out.names);
    CHECK(in.cable_ends == out.cable_ends);
    CHECK(in.lids == out.lids);
  }
}

TEST_CASE("every conversion writes everything in a topology file or reports it as lost") {
  const test::PlanSeeds seeds = test::seeds_from_environment();
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    const RandomPlan plan = test::draw_plan(seed);
    // The reader rejects a single node without cables: ibnetdiscover saw only the node it ran on.
    if (plan.nodes.empty() || (plan.nodes.size() == 1 && plan.cables.empty())) continue;
    INFO("seed " << seed << ": " << plan.recipe);
    const std::string text = net_text(plan, test::odd_names(plan, seed));
    TopologyFile file = parse_topology(text, "plan");
    CHECK(file.warnings.empty());
    const Fabric fabric = std::move(file.builder).build();
    check_net(text, fabric);
    check_dot(plan, fabric);
    check_ned(plan, fabric);
    check_list(plan, fabric);
  }
}

}  // namespace
}  // namespace pssp
