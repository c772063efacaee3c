// Everything in the input is in the output or in a warning: random fabrics are written as
// ibnetdiscover writes them, by code of this test, read, and written in every notation; an
// independent counter of lines compares what went in with what came out and what is reported lost.

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fabric/formats/cable_list.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/omnet/omnet_writer.h"
#include "fabric/formats/orcs/dot_writer.h"
#include "fabric/formats/topology_file.h"
#include "fabric/input/conversion_losses.h"
#include "tests/properties/random_plan.h"

namespace pssp {
namespace {

using test::PlannedCable;
using test::PlannedLids;
using test::PlannedNode;
using test::PlannedPort;
using test::RandomPlan;

std::string odd_name(std::mt19937_64& random, std::size_t number, bool is_aggregation_node) {
  if (is_aggregation_node) return "Mellanox Technologies Aggregation Node";
  constexpr std::array<std::string_view, 12> shapes{
      "node{} mlx5_0", "n{} \"quoted\" HCA-1", "rack[3] #{}",       "lid {} lmc 2",
      "w=1 s={}",      "Switch 36 \"S-{}\"",   "\xc3\xa4 {}",       "{}",
      "a,b;{}",        "[1] \"H{}\"[1]",       "Ca {} 4xHDR x = y", "a\\b {}"};
  return fmt::format(fmt::runtime(shapes[random() % shapes.size()]), number);
}

/// A plan as a file of ibnetdiscover.
class PlanText {
 public:
  PlanText(const RandomPlan& plan, std::uint64_t seed) : plan_(plan), random_(seed) {
    for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
      names_.push_back(odd_name(random_, n, plan.nodes[n].kind == EndPortKind::aggregation_node));
    }
    for (const PlannedCable& cable : plan.cables) {
      far_[cable.a] = {cable.b, cable.rate};
      far_[cable.b] = {cable.a, cable.rate};
    }
    for (const PlannedLids& lids : plan.lids) lids_[lids.owner] = lids;
  }

  std::string run() {
    for (std::size_t n = 0; n < plan_.nodes.size(); ++n) write_node(n);
    return std::move(text_);
  }

 private:
  static std::string id(const PlannedNode& node) {
    return fmt::format("{}-{:016x}", node.is_switch ? 'S' : 'H', node.guid);
  }
  unsigned lid(PlannedPort port) const {
    const auto found = lids_.find(port);
    return found == lids_.end() ? 0 : found->second.first;
  }
  unsigned lmc(PlannedPort port) const {
    const auto found = lids_.find(port);
    return found == lids_.end() ? 0 : found->second.lmc;
  }

  void write_node(std::size_t n) {
    const PlannedNode& node = plan_.nodes[n];
    const bool is_router = node.kind == EndPortKind::router;
    text_ += fmt::format("\n{}guid=0x{:x}\n{}\t{} \"{}\"\t\t# \"{}\"",
                         node.is_switch ? "switch"
                         : is_router    ? "rt"
                                        : "ca",
                         node.guid,
                         node.is_switch ? "Switch"
                         : is_router    ? "Rt"
                                        : "Ca",
                         node.ports, id(node), names_[n]);
    if (node.is_switch) {
      text_ += fmt::format(" enhanced port 0 lid {} lmc {}", lid({n, 0}), lmc({n, 0}));
    }
    text_ += "\n";
    for (unsigned port = 1; port <= node.ports; ++port) write_port({n, port});
  }

  void write_port(PlannedPort here) {
    const PlannedNode& node = plan_.nodes[here.node];
    const auto found = far_.find(here);
    if (found == far_.end()) {
      if (node.is_switch || lid(here) == 0) return;
      text_ += fmt::format("# port {} ({:x}) lid {} lmc {} without a cable\n", here.port,
                           node.guid + here.port, lid(here), lmc(here));
      return;
    }
    const auto& [there, rate] = found->second;
    const PlannedNode& far = plan_.nodes[there.node];
    text_ += fmt::format("[{}]", here.port);
    if (!node.is_switch) text_ += fmt::format("({:x}) ", node.guid + here.port);
    text_ += fmt::format("\t\"{}\"[{}]", id(far), there.port);
    if (!far.is_switch) text_ += fmt::format("({:x})", far.guid + there.port);
    text_ += " \t\t# ";
    if (!node.is_switch) text_ += fmt::format("lid {} lmc {} ", lid(here), lmc(here));
    const PlannedPort owner = far.is_switch ? PlannedPort{there.node, 0} : there;
    text_ += fmt::format("\"{}\" lid {}", names_[there.node], lid(owner));
    const std::string name = to_string(rate);
    text_ += name.empty() ? "\n" : " " + name + "\n";
  }

  const RandomPlan& plan_;
  std::mt19937_64 random_;
  std::vector<std::string> names_;
  std::map<PlannedPort, std::pair<PlannedPort, LinkRate>> far_;
  std::map<PlannedPort, PlannedLids> lids_;
  std::string text_;
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// What the lines of a net file hold, each as a text of its own, sorted.
struct Inventory {
  std::multiset<std::string> nodes, names, cable_ends, lids;
};

/// Reads by regular expressions alone: no code of the readers.
Inventory inventory_of(const std::string& text) {
  static const std::regex head(R"re(^(Switch|Ca|Hca|Rt)\t([0-9]+) "([^"]*)"\s*# "(.*)"([^"]*)$)re");
  static const std::regex port(
      R"re(^\[([0-9]+)\](\([0-9a-f]+\))?\s+"([^"]*)"\[([0-9]+)\][^#]*#\s*(lid [0-9]+ lmc [0-9]+)?.*"([^"]*)$)re");
  static const std::regex uncabled(
      R"re(^# port ([0-9]+) \([0-9a-f]+\) (lid [0-9]+ lmc [0-9]+) .*$)re");
  static const std::regex switch_lid(R"re( port 0 (lid [0-9]+ lmc [0-9]+))re");
  static const std::regex rate(R"re( ([0-9]+x[A-Z0-9]+)$)re");
  Inventory found;
  std::string id;
  const auto add_lid = [&](const std::string& place, const std::string& lid) {
    if (!lid.starts_with("lid 0 ")) found.lids.insert(id + place + " " + lid);
  };
  for (const std::string& line : lines_of(text)) {
    std::smatch match, part;
    if (std::regex_match(line, match, head)) {
      id = match[3].str();
      found.nodes.insert(match[1].str() + " " + match[2].str() + " " + id);
      found.names.insert(id + " " + match[4].str());
      const std::string rest = match[5].str();
      if (std::regex_search(rest, part, switch_lid)) add_lid("", part[1]);
    } else if (std::regex_match(line, match, port)) {
      const std::string rest = match[6].str();
      const std::string speed = std::regex_search(rest, part, rate) ? part[1].str() : "";
      found.cable_ends.insert(fmt::format("{}[{}] {}[{}] {}", id, match[1].str(), match[3].str(),
                                          match[4].str(), speed));
      if (match[5].matched) add_lid("[" + match[1].str() + "]", match[5]);
    } else if (std::regex_match(line, match, uncabled)) {
      add_lid("[" + match[1].str() + "]", match[2]);
    }
  }
  return found;
}

std::size_t count_of(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1))
    ++count;
  return count;
}

/// LIDs of all ports: 2^LMC each.
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
  CHECK_FALSE(conversion_losses(fabric, TopologyNotation::net, false).any());
}

/// A graph has a node for each port of an adapter that is cabled to a switch.
void check_dot(const RandomPlan& plan, const Fabric& fabric) {
  const ConversionLosses losses = conversion_losses(fabric, TopologyNotation::dot, false);
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
  const ConversionLosses losses = conversion_losses(fabric, TopologyNotation::ned, false);
  const std::string network = to_omnet_ned(fabric);
  CHECK(count_of(network, "--> { delay") / 2 + losses.cables == plan.cables.size());
  CHECK(count_of(network, ": HCA;") == fabric.endpoints().size());
  std::set<Guid> hosts;
  for (const EndPortId e : fabric.endpoints()) hosts.insert(fabric.end_port(e).node_guid);
  CHECK(count_of(network, ": Switch {") + hosts.size() + losses.nodes == plan.nodes.size());
  CHECK(losses.lids == lids_of(plan));
}

void check_list(const RandomPlan& plan, const Fabric& fabric) {
  const ConversionLosses losses = conversion_losses(fabric, TopologyNotation::cable_list, false);
  const std::string list = to_cable_list(fabric);
  CHECK(count_of(list, ",Data\r\n") + losses.cables == plan.cables.size());
  CHECK(losses.lids == lids_of(plan));
  // Written again from what was read, the rows stay.
  CHECK(parse_cable_list(list, "list").rows.size() == count_of(list, ",Data\r\n"));
}

TEST_CASE("What a file has is in the output of every conversion, or reported lost") {
  const test::PlanSeeds seeds = test::seeds_from_environment();
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    const RandomPlan plan = test::draw_plan(seed);
    // The reader refuses a node that sees only itself, as ibnetdiscover prints it.
    if (plan.nodes.empty() || (plan.nodes.size() == 1 && plan.cables.empty())) continue;
    INFO("seed " << seed << ": " << plan.recipe);
    const std::string text = PlanText(plan, seed).run();
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
