// Reads random tables in each input notation, which this test writes, and converts them to each
// output notation. Every entry must be in the output or counted in a warning with an example. The
// tests count the entries in the texts with their own code.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <iterator>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fabric/formats/lft_writer.h"
#include "fabric/formats/omnet/omnet_fdbs_file.h"
#include "fabric/formats/omnet/omnet_writer.h"
#include "fabric/formats/orcs/dot_file.h"
#include "fabric/input/conversion_losses.h"
#include "fabric/input/fabric_input.h"
#include "tests/properties/plan_text.h"
#include "tests/properties/table_text.h"
#include "tools/convert_fabric/tables_alone.h"

namespace pssp {
namespace {

using test::count_of;
using test::lines_of;
using test::PlannedCable;
using test::PlannedNode;
using test::PlannedTables;
using test::RandomPlan;
using test::TextEntries;
using test::TextEntry;
using test::warned_of;

constexpr std::array dump_formats{LftFormat::dump_fts, LftFormat::opensm_lfts,
                                  LftFormat::opensm_fdbs};

/// Number of LIDs without entries in the fabric's tables, according to two kinds of warnings.
std::size_t warned_lids(const std::vector<std::string>& warnings) {
  return warned_of(warnings, "LIDs that the dump routes have no owner in the topology: [0-9]") +
         warned_of(warnings, "LID\\(s\\) that the topology does not list .* such as LID [0-9]");
}

std::set<std::uint64_t> destinations_of(const TextEntries& entries) {
  std::set<std::uint64_t> destinations;
  for (const TextEntry& each : entries) destinations.insert(each.to);
  return destinations;
}

/// Entries of `all` that are not in `some`.
TextEntries missing(const TextEntries& all, const TextEntries& some) {
  TextEntries rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(rest));
  return rest;
}

/// Number of entries that a conversion reports as lost; the warning must give an example.
std::size_t warned_entries(const FabricInput& input, OutputNotation notation) {
  static const std::regex count("([0-9]+) LFT entr(y|ies) \\(e\\.g\\. LID [0-9]+ at port [0-9]+");
  const std::string text =
      to_string(conversion_losses(input.fabric, notation, &*input.tables), notation);
  std::smatch match;
  return std::regex_search(text, match, count) ? std::stoull(match[1]) : 0;
}

FabricInput matched(TopologyFile topology, LftFile tables) {
  FabricSources sources;
  sources.topology = std::move(topology);
  sources.tables = std::move(tables);
  return to_fabric_input(std::move(sources));
}

/// Entries in a table file of OMNeT++: numbers after the entry of LID 0, except 255 (no entry).
std::size_t entries_in_rows(const std::string& rows) {
  std::size_t entries = 0;
  for (const std::string& line : lines_of(rows)) {
    std::istringstream numbers(line.substr(line.find(':') + 1));
    unsigned port = 0;
    for (numbers >> port; numbers >> port;) entries += port != 255 ? 1 : 0;
  }
  return entries;
}

/// Checks that each output has all entries of the input or counts them as lost.
void check_outputs(const FabricInput& input) {
  const test::DumpText dump = test::read_dump(to_lft_dump(input.fabric, *input.tables));
  const std::size_t entries = dump.entries.size();
  const TextEntries routes = test::routes_of_graph(to_dot(input.fabric, &*input.tables, {}));
  CHECK(missing(routes, dump.routes).empty());
  CHECK(routes.size() + warned_entries(input, OutputNotation::dot) == entries);
  CHECK(entries_in_rows(to_omnet_fdbs(input.fabric, *input.tables)) +
            warned_entries(input, OutputNotation::omnet_tables) ==
        entries);
  for (const OutputNotation topology :
       {OutputNotation::net, OutputNotation::ned, OutputNotation::cable_list})
    CHECK(warned_entries(input, topology) == entries);
}

/// Reduces the plan to the cables that a graph or an OMNeT++ network with routes can express: hosts
/// with one port, each at a switch, and no cable from a switch to itself. Drops the LIDs.
RandomPlan without_what_graphs_lack(const RandomPlan& plan) {
  RandomPlan left{plan.nodes, {}, {}, plan.recipe};
  for (const PlannedCable& cable : plan.cables) {
    const PlannedNode &a = plan.nodes[cable.a.node], &b = plan.nodes[cable.b.node];
    if (cable.a.node == cable.b.node || (!a.is_switch && !b.is_switch)) continue;
    if ((a.is_switch || a.ports == 1) && (b.is_switch || b.ports == 1))
      left.cables.push_back(cable);
  }
  return left;
}

struct DrawnGraph {
  std::string text;
  TextEntries routes;  ///< routes that packets take: GUIDs of the switch and of the host port
  std::size_t to_unknown = 0, to_switches = 0, behind_another = 0;  ///< list items without a route
};

/// Draws a graph with random routes. The first edge of a node that lists a host, by name or with
/// '*', is the route to this host.
DrawnGraph draw_graph(const RandomPlan& plan, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  DrawnGraph graph;
  graph.text = "digraph network {\n";
  std::map<std::size_t, std::map<std::size_t, std::vector<unsigned>>> ports;  // by node, far node
  std::vector<std::size_t> hosts;
  for (const PlannedCable& cable : plan.cables) {
    for (const auto& [near, far] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)}) {
      ports[near.node][far.node].push_back(near.port);
      if (!plan.nodes[near.node].is_switch) hosts.push_back(near.node);
    }
  }
  const auto name = [&](std::size_t n) {
    return fmt::format("{}{}", plan.nodes[n].is_switch ? 'S' : 'H', n);
  };
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    graph.text += fmt::format("\"{}\" [\"guid\"=\"0x{:x}\", \"ports\"=\"{}\"];\n", name(n),
                              plan.nodes[n].guid, plan.nodes[n].ports);
  }
  for (const auto& [from, by_far] : ports) {
    const std::size_t n = from;  // clang 14 cannot capture structured bindings
    std::set<std::size_t> routed;
    for (const auto& [far, numbers] : by_far) {
      for (const unsigned port : numbers) {
        std::string list;
        const auto route = [&](std::size_t host, bool is_listed) {
          if (is_listed) list += (list.empty() ? "" : ", ") + name(host);
          if (routed.insert(host).second) {
            graph.routes.push_back({plan.nodes[n].guid, plan.nodes[host].guid + 1, port});
          } else if (is_listed) {
            ++graph.behind_another;
          }
        };
        if (!plan.nodes[n].is_switch) {
          list = "*";
        } else if (random() % 6 == 0) {
          list = "*";
          for (const std::size_t host : hosts) route(host, false);
        } else {
          for (const std::size_t host : hosts) {
            if (random() % 3 == 0) route(host, true);
          }
          for (; random() % 5 == 0; ++graph.to_unknown) list += " Hnowhere";
          for (; random() % 5 == 0; ++graph.to_switches) list += " H" + name(n);
        }
        graph.text += fmt::format("\"{}\" -> \"{}\" [\"key\"=\"{}\", \"comment\"=\"{}\"];\n",
                                  name(n), name(far), port, list);
      }
    }
  }
  graph.text += "}\n";
  std::ranges::sort(graph.routes);
  return graph;
}

/// OMNeT++ files: the network, and random tables for it, which may have entries for LIDs without a
/// host.
std::pair<std::string, std::string> omnet_texts(const RandomPlan& plan, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::string network = "network FABRIC\n{\n\tsubmodules:\n", rows;
  std::size_t hosts = 0;
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const PlannedNode& node = plan.nodes[n];
    const bool is_cabled = std::ranges::any_of(plan.cables, [n](const PlannedCable& cable) {
      return cable.a.node == n || cable.b.node == n;
    });
    if (node.is_switch) {
      network +=
          fmt::format("\t\tSW{}: Switch {{ parameters: numSwitchPorts = {}; }}\n", n, node.ports);
    } else if (is_cabled) {
      network += fmt::format("\t\tH{}: HCA;\n", n);
      ++hosts;
    }
  }
  network += "\tconnections:\n";
  const auto gate = [&](test::PlannedPort port) {
    return plan.nodes[port.node].is_switch ? fmt::format("SW{}.port[{}]", port.node, port.port - 1)
                                           : fmt::format("H{}.port", port.node);
  };
  for (const PlannedCable& cable : plan.cables) {
    network +=
        fmt::format("\t\t{} <--> {{ delay = 5ns; }} <--> {};\n", gate(cable.a), gate(cable.b));
  }
  network += "}\n";
  const std::size_t more = hosts < 4 ? 0 : random() % (hosts / 4 + 1);
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    if (!plan.nodes[n].is_switch) continue;
    rows += fmt::format("{}: 255", n);
    const bool is_first = rows.find('\n') == std::string::npos;
    for (std::size_t lid = 1; lid <= hosts + more; ++lid) {
      const bool is_routed = is_first || random() % 8 != 0;
      rows += fmt::format(" {}", is_routed ? random() % plan.nodes[n].ports : 255);
    }
    rows += '\n';
  }
  return {network, rows};
}

TEST_CASE("every conversion writes everything in a dump of tables or reports it as lost") {
  const test::PlanSeeds seeds = test::seeds_from_environment();
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    const RandomPlan plan = test::draw_plan(seed);
    const PlannedTables tables = test::draw_tables(plan, seed);
    if (tables.empty() || (plan.nodes.size() == 1 && plan.cables.empty())) continue;
    INFO("seed " << seed << ": " << plan.recipe);
    const std::vector<std::string> names = test::odd_names(plan, seed);
    const TextEntries in = test::entries_of(tables, plan);
    const LftFormat format = dump_formats[seed % dump_formats.size()];
    const std::string text = test::dump_text(plan, names, tables, format);
    const FabricInput input =
        matched(parse_topology(test::net_text(plan, names), "net"), parse_lft(text, "dump"));
    const TextEntries out = test::read_dump(to_lft_dump(input.fabric, *input.tables)).entries;
    CHECK(missing(out, in).empty());
    const std::set<std::uint64_t> lost = destinations_of(missing(in, out));
    CHECK(lost.size() == warned_lids(input.warnings));
    const std::set<std::uint64_t> kept = destinations_of(out);
    CHECK(std::ranges::none_of(lost, [&](std::uint64_t lid) { return kept.contains(lid); }));
    check_outputs(input);
  }
}

TEST_CASE("a dump read without a topology keeps all entries, and keeps or reports all LID owners") {
  const test::PlanSeeds seeds = test::seeds_from_environment();
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    const RandomPlan plan = test::draw_plan(seed);
    PlannedTables tables = test::draw_tables(plan, seed);
    if (tables.size() > 1 && seed % 4 < 2) tables.erase(std::prev(tables.end()));
    if (tables.empty()) continue;
    INFO("seed " << seed << ": " << plan.recipe);
    const std::vector<std::string> names = test::odd_names(plan, seed);
    const LftFormat format = dump_formats[seed % dump_formats.size()];
    const std::string text = test::dump_text(plan, names, tables, format);
    const FabricInput input = to_fabric_without_cables(parse_lft(text, "dump"));
    const test::DumpText dump = test::read_dump(to_lft_dump(input.fabric, *input.tables));
    CHECK(dump.entries == test::entries_of(tables, plan));
    // opensm.fdbs does not name the owners of LIDs.
    CHECK(dump.owners.size() +
              warned_of(input.warnings, "owner\\(s\\) of LIDs are not in the output.*0x") ==
          test::read_dump(text).owners.size());
  }
}

TEST_CASE("every conversion writes all routes of a graph or reports them as lost") {
  const test::PlanSeeds seeds = test::seeds_from_environment();
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    const RandomPlan plan = without_what_graphs_lack(test::draw_plan(seed));
    const DrawnGraph graph = draw_graph(plan, seed);
    if (graph.routes.empty()) continue;
    INFO("seed " << seed << ": " << plan.recipe << "\n" << graph.text);
    DotFile file = parse_dot(graph.text, "graph");
    REQUIRE(file.tables);
    const FabricInput input = matched(std::move(file.topology), std::move(*file.tables));
    CHECK(test::read_dump(to_lft_dump(input.fabric, *input.tables)).routes == graph.routes);
    CHECK(warned_of(input.warnings, "destination\\(s\\) that are not hosts of the graph: '") ==
          graph.to_unknown);
    CHECK(warned_of(input.warnings, "destination\\(s\\) that are switches, .*: '") ==
          graph.to_switches);
    CHECK(warned_of(input.warnings, "destination\\(s\\) at two edges of a node; .*: '") ==
          graph.behind_another);
    check_outputs(input);
  }
}

TEST_CASE("every conversion writes all OMNeT++ table entries or reports them as lost") {
  const test::PlanSeeds seeds = test::seeds_from_environment();
  for (std::uint64_t seed = seeds.first; seed < seeds.first + seeds.count; ++seed) {
    const RandomPlan plan = without_what_graphs_lack(test::draw_plan(seed));
    const auto [network_text, rows] = omnet_texts(plan, seed);
    if (count_of(network_text, ": HCA;") == 0) continue;
    INFO("seed " << seed << ": " << plan.recipe << "\n" << network_text << rows);
    OmnetNetwork network = parse_omnet_ned(network_text, "ned");
    LftFile tables = to_lft_file(network, parse_omnet_fdbs(rows, "fdbs"));
    const FabricInput input = matched(std::move(network.topology), std::move(tables));
    const TextEntries out = test::read_dump(to_lft_dump(input.fabric, *input.tables)).entries;
    const std::size_t hosts = count_of(network_text, ": HCA;");
    // Columns are LIDs; the LIDs of hosts come first.
    std::size_t entries = 0, columns = 0;
    std::set<std::size_t> unowned;
    for (const std::string& line : lines_of(rows)) {
      std::istringstream numbers(line.substr(line.find(':') + 1));
      unsigned port = 0;
      numbers >> port;
      for (columns = 1; numbers >> port; ++columns) {
        if (port == 255) continue;
        if (columns <= hosts) {
          ++entries;
        } else {
          unowned.insert(columns);
        }
      }
    }
    CHECK(out.size() == entries);
    CHECK(warned_lids(input.warnings) == unowned.size());
    check_outputs(input);
  }
}

}  // namespace
}  // namespace pssp
