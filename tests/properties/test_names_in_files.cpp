// Root on any node can set its NodeDescription. These tests write random fabrics in every format
// that contains names. The names consist of fragments of lines of all formats. The kind of each
// file and the fabric and tables in it must not depend on the names.
//
// ibnetdiscover, infiniband-diags and opensm replace control characters in names with blanks, and
// print at most 63 bytes of a name.

#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/text_lines.h"
#include "fabric/adapter_kind.h"
#include "fabric/builder.h"
#include "fabric/formats/cable_list.h"
#include "fabric/formats/content_kind.h"
#include "fabric/formats/ibdiagnet_database.h"
#include "fabric/formats/lft_matching.h"
#include "fabric/formats/subnet_list.h"
#include "fabric/formats/topology_file.h"
#include "fabric/formats/ufm/ufm_answers.h"
#include "tests/fabric/formats/format_testing.h"
#include "tests/properties/random_plan.h"

using namespace pssp;

namespace {

constexpr std::size_t longest_name = 63;

/// Lines of every format; names consist of fragments of these lines.
const std::vector<std::string>& lines_of_all_notations() {
  static const std::vector<std::string> lines = [] {
    std::vector<std::string> all{"Unicast lids [",
                                 "24 valid lids dumped",
                                 "24 lids dumped",
                                 "Multicast mlids [",
                                 "LID    : Port : Hops : Optimal",
                                 "dump_ucast_routes: Switch 0x0002c90300000101",
                                 "0x0001 : UNREACHABLE",
                                 "submodules:",
                                 "network small { submodules: H1: HCA;",
                                 "0: 255 0 1",
                                 "digraph network {",
                                 "\"S1\" -> \"H1\" [\"comment\"=\"*\"];",
                                 "<html>",
                                 "PK",
                                 "StartDevice,StartPort,EndDevice,EndPort",
                                 "a,StartDevice",
                                 "#Fields:StartDevice,x",
                                 "# pssp capacity 1",
                                 "service-levels max-lid 8",
                                 "module=\"x\"",
                                 "do Unlink \"S\"[1]",
                                 "include \"x\"",
                                 "# Initiated from node 0002c90300000101 port 1",
                                 "# port 1 (31) lid 4 lmc 1 without a cable",
                                 "w=4 s=7 e=8 lid 9 lmc 3 12xNDR",
                                 "\" lid 7 4xSDR \"",
                                 "\")",
                                 "' # Switch portguid 0x7: '",
                                 "(x):",
                                 "guid 0x7 (",
                                 "\\",
                                 "\\\"",
                                 "} LID:0009 PN:02 } PHY=1x LOG=DWN SPD=5",
                                 "enhanced port 0 lid 7 lmc 7",
                                 "[1]",
                                 "#",
                                 "] \"x\"[2](",
                                 "guid=0x7",
                                 "switchguid=0x7",
                                 "' - 'x' )",
                                 "\"( Could be 4X )"};
    for (const char* const file :
         {"golden/lmc2.ibnetdiscover", "golden/lmc2.dump_fts", "golden/lmc2.opensm-lfts.dump",
          "golden/lmc2.opensm.fdbs", "golden/lmc0.opensm-subnet.lst", "golden/small.net",
          "omnet/small.ned", "other_commands/02-ibnetdiscover-ports.txt",
          "other_commands/03-iblinkinfo.txt", "other_commands/03-iblinkinfo-line-mode.txt",
          "other_commands/db_csv.txt", "other_commands/ibswitches.txt", "ufm/links.json",
          "ufm/ports.json", "ufm/systems.json"}) {
      const std::string text = test::sample_text(file);
      for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
        std::string line = text.substr(at, text.find('\n', at) - at);
        for (char& c : line) c = c >= ' ' && c <= '~' ? c : ' ';
        if (!line.empty()) all.push_back(line);
      }
    }
    return all;
  }();
  return lines;
}

class NameMaker {
 public:
  explicit NameMaker(std::mt19937& random) : random_(random) {}

  /// A fragment of a line, usually its beginning, or two fragments in a row.
  std::string next() {
    std::string name = piece();
    if (random_() % 3 == 0) name += piece();
    name.resize(std::min(name.size(), longest_name));
    return name.find_first_not_of(' ') == std::string::npos ? "x" + name : name;
  }

 private:
  std::string piece() {
    const auto& lines = lines_of_all_notations();
    const std::string& line = lines[random_() % lines.size()];
    const std::size_t at = random_() % 3 == 0 ? random_() % line.size() : 0;
    return line.substr(at, random_() % 4 == 0 ? 1 + random_() % 20 : longest_name);
  }

  std::mt19937& random_;
};

/// Switches in a chain, adapters with one or two ports, and names from NameMaker.
struct NamedFabric {
  struct Node {
    Guid guid = 0;
    bool is_switch = false;
    unsigned ports = 1, lid = 0;  // lid: of a switch only
    std::string name;
  };
  struct End {
    std::size_t node = 0;
    unsigned port = 0;
  };
  struct Port {
    End end;
    unsigned lid = 0;
  };
  std::vector<Node> nodes;
  std::vector<std::pair<End, End>> cables;
  std::vector<Port> lids;                     // LIDs of adapter ports
  std::vector<std::vector<unsigned>> routes;  // output port by switch and LID; 255: no entry

  std::string id(std::size_t node) const {
    return fmt::format("{}-{:016x}", nodes[node].is_switch ? 'S' : 'H', nodes[node].guid);
  }
  unsigned lid_of(End end) const {
    if (nodes[end.node].is_switch) return nodes[end.node].lid;
    for (const Port& port : lids) {
      if (port.end.node == end.node && port.end.port == end.port) return port.lid;
    }
    return 0;
  }
  Guid port_guid(End end) const {
    return nodes[end.node].guid + (nodes[end.node].is_switch ? 0 : end.port);
  }
};

unsigned below(std::mt19937& random, unsigned end) { return static_cast<unsigned>(random() % end); }

NamedFabric draw_fabric(std::mt19937& random) {
  NamedFabric fabric;
  NameMaker names(random);
  constexpr unsigned switch_ports = 12;
  const std::size_t switches = 1 + random() % 4, adapters = 1 + random() % 5;
  unsigned lid = 0;
  for (std::size_t n = 0; n < switches + adapters; ++n) {
    NamedFabric::Node node;
    node.guid = (Guid{random()} << 20) + 16 * n + 1;
    node.is_switch = n < switches;
    node.ports = node.is_switch ? switch_ports : 1 + below(random, 2);
    if (node.is_switch) node.lid = ++lid;
    node.name = names.next();
    fabric.nodes.push_back(node);
  }
  std::vector<unsigned> used(switches, 0);
  for (std::size_t s = 0; s + 1 < switches; ++s) {
    fabric.cables.push_back({{s, ++used[s]}, {s + 1, ++used[s + 1]}});
  }
  for (std::size_t n = switches; n < fabric.nodes.size(); ++n) {
    for (unsigned port = 1; port <= fabric.nodes[n].ports; ++port) {
      const std::size_t s = random() % switches;
      if (used[s] == switch_ports) continue;
      fabric.cables.push_back({{s, ++used[s]}, {n, port}});
      fabric.lids.push_back({{n, port}, ++lid});
    }
  }
  for (std::size_t s = 0; s < switches; ++s) {
    std::vector<unsigned>& routes = fabric.routes.emplace_back(lid + 1, 255);
    for (unsigned to = 1; to <= lid; ++to)
      routes[to] = used[s] == 0 ? 255 : 1 + below(random, used[s]);
    routes[fabric.nodes[s].lid] = 0;
  }
  return fabric;
}

Fabric build(const NamedFabric& named) {
  FabricBuilder builder;
  std::vector<NodeId> ids;
  for (std::size_t n = 0; n < named.nodes.size(); ++n) {
    const NamedFabric::Node& node = named.nodes[n];
    ids.push_back(node.is_switch
                      ? builder.add_switch(node.guid, node.ports, named.id(n), node.name)
                      : builder.add_adapter(node.guid, node.ports, adapter_kind(node.name),
                                            named.id(n), node.name));
    if (node.is_switch) builder.set_lid(ids.back(), management_port, node.lid, 0);
  }
  for (const auto& port : named.lids) {
    builder.set_lid(ids[port.end.node], static_cast<PortNumber>(port.end.port), port.lid, 0);
  }
  for (const auto& [a, b] : named.cables) {
    builder.connect(ids[a.node], static_cast<PortNumber>(a.port), ids[b.node],
                    static_cast<PortNumber>(b.port), *parse_link_rate("4xHDR"));
  }
  return std::move(builder).build();
}

std::string ibnetdiscover(const NamedFabric& fabric, bool with_title) {
  std::string text = with_title ? "#\n# Topology file: generated on Fri Nov 27 2026\n#\n" : "";
  for (std::size_t n = 0; n < fabric.nodes.size(); ++n) {
    const auto& node = fabric.nodes[n];
    text += fmt::format("\nvendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0x{0:x}\n{1}=0x{0:x}{2}\n",
                        node.guid, node.is_switch ? "switchguid" : "caguid",
                        node.is_switch ? fmt::format("({:x})", node.guid) : "");
    text += fmt::format("{}\t{} \"{}\"\t\t# \"{}\"", node.is_switch ? "Switch" : "Ca", node.ports,
                        fabric.id(n), node.name);
    text += node.is_switch ? fmt::format(" enhanced port 0 lid {} lmc 0\n", node.lid) : "\n";
    for (const auto& [a, b] : fabric.cables) {
      for (const auto& [here, there] : {std::pair(a, b), std::pair(b, a)}) {
        if (here.node != n) continue;
        text += fmt::format("[{}]", here.port);
        if (!node.is_switch) text += fmt::format("({:x}) ", fabric.port_guid(here));
        text += fmt::format("\t\"{}\"[{}]", fabric.id(there.node), there.port);
        if (!fabric.nodes[there.node].is_switch)
          text += fmt::format("({:x}) ", fabric.port_guid(there));
        text += "\t\t# ";
        if (!node.is_switch) text += fmt::format("lid {} lmc 0 ", fabric.lid_of(here));
        text += fmt::format("\"{}\" lid {} 4xHDR\n", fabric.nodes[there.node].name,
                            fabric.lid_of(there));
      }
    }
  }
  return text;
}

std::string subnet_list(const NamedFabric& fabric) {
  const auto end = [&fabric](NamedFabric::End at) {
    const auto& node = fabric.nodes[at.node];
    return fmt::format(
        "{{ {0} Ports:{1:02x} SystemGUID:{2:016x} NodeGUID:{2:016x} PortGUID:{3:016x} VenID:000000 "
        "DevID:0000 Rev:000000A1 {{{4}}} LID:{5:04x} PN:{6:02x} }} ",
        node.is_switch ? "SW" : "CA", node.ports, node.guid, fabric.port_guid(at), node.name,
        fabric.lid_of(at), at.port);
  };
  std::string text;
  for (const auto& [a, b] : fabric.cables) {
    text += end(a) + end(b) + "PHY=4x LOG=ACT SPD=50\n";
    text += end(b) + end(a) + "PHY=4x LOG=ACT SPD=50\n";
  }
  return text;
}

std::string ibdiagnet_database(const NamedFabric& fabric) {
  std::string nodes, ports, links;
  for (std::size_t n = 0; n < fabric.nodes.size(); ++n) {
    const auto& node = fabric.nodes[n];
    nodes += fmt::format("\"{}\",{},{},0x{:016x}\n", node.name, node.ports, node.is_switch ? 2 : 1,
                         node.guid);
    for (unsigned port = node.is_switch ? 0 : 1; port <= node.ports; ++port) {
      const unsigned lid = node.is_switch && port != 0 ? 0 : fabric.lid_of({n, port});
      ports += fmt::format("0x{:016x},0x{:016x},{},{},2,1024\n", node.guid,
                           fabric.port_guid({n, port}), port, lid);
    }
  }
  for (const auto& [a, b] : fabric.cables) {
    links += fmt::format("0x{:x},{},0x{:x},{}\n", fabric.nodes[a.node].guid, a.port,
                         fabric.nodes[b.node].guid, b.port);
  }
  return fmt::format(
      "START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID\n{}END_NODES\n\nSTART_PORTS\nNodeGuid,"
      "PortGuid,PortNum,LID,LinkWidthActv,LinkSpeedActv\n{}END_PORTS\n\nSTART_LINKS\nNodeGuid1,"
      "PortNum1,NodeGuid2,PortNum2\n{}END_LINKS\n",
      nodes, ports, links);
}

/// Description of a port in UFM.
std::string ufm_description(const NamedFabric& fabric, NamedFabric::End at) {
  const auto& node = fabric.nodes[at.node];
  return node.is_switch ? fmt::format("{}:{}", node.name, at.port) : node.name;
}

std::string ufm_port_name(const NamedFabric& fabric, NamedFabric::End at) {
  return fmt::format("{:016x}_{}", fabric.port_guid(at), at.port);
}

std::string ufm_links(const NamedFabric& fabric) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [a, b] : fabric.cables) {
    nlohmann::json& link = list.emplace_back();
    link["name"] = ufm_port_name(fabric, a) + ":" + ufm_port_name(fabric, b);
    for (const auto& [side, end] : {std::pair("source", a), std::pair("destination", b)}) {
      const std::string prefix = side;
      link[prefix + "_guid"] = fmt::format("{:016x}", fabric.nodes[end.node].guid);
      link[prefix + "_port"] = std::to_string(end.port);
      link[prefix + "_port_node_description"] = ufm_description(fabric, end);
    }
  }
  return list.dump(1);
}

std::string ufm_ports(const NamedFabric& fabric) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [a, b] : fabric.cables) {
    for (const NamedFabric::End end : {a, b}) {
      const bool is_switch = fabric.nodes[end.node].is_switch;
      list.push_back({{"name", ufm_port_name(fabric, end)},
                      {"number", end.port},
                      {"logical_state", "Active"},
                      {"description", is_switch ? "Switch IB Port" : "Computer IB Port"},
                      {"node_description", ufm_description(fabric, end)},
                      {"lid", fabric.lid_of(end)},
                      {"active_width", "4x"},
                      {"active_speed", "HDR"}});
    }
  }
  return list.dump(1);
}

void check_same_owners(const Fabric& expected, const Fabric& found) {
  REQUIRE(std::ranges::equal(found.lids(), expected.lids()));
  CHECK(std::ranges::equal(found.channel_out_port(), expected.channel_out_port()));
  const auto description = [](const Fabric& fabric, LidOwner of) {
    return of.kind == LidOwner::Kind::switch_port0
               ? fabric.switch_at(SwitchId(of.index)).description
               : fabric.end_port(EndPortId(of.index)).description;
  };
  for (const Lid lid : expected.lids()) {
    const LidOwner a = expected.owner(lid), b = found.owner(lid);
    REQUIRE(a.kind == b.kind);
    CHECK(description(expected, a) == description(found, b));
  }
}

/// Owner of the LID as dump_fts and opensm print it. `is_read`: with names trimmed, as readers
/// return them.
std::string owner(const NamedFabric& fabric, unsigned lid, bool is_read = false) {
  const auto name_of = [is_read](const std::string& name) {
    return is_read ? std::string(trimmed(name)) : name;
  };
  for (const auto& node : fabric.nodes) {
    if (node.is_switch && node.lid == lid)
      return fmt::format("Switch portguid 0x{:016x}: '{}'", node.guid, name_of(node.name));
  }
  for (const auto& port : fabric.lids) {
    if (port.lid == lid) {
      return fmt::format("Channel Adapter portguid 0x{:016x}: '{}'", fabric.port_guid(port.end),
                         name_of(fabric.nodes[port.end.node].name));
    }
  }
  return "unknown node and type";
}

std::string dump(const NamedFabric& fabric, LftFormat format) {
  const bool is_fts = format == LftFormat::dump_fts;
  std::string text;
  for (std::size_t s = 0; s < fabric.routes.size(); ++s) {
    const auto& node = fabric.nodes[s];
    const std::vector<unsigned>& routes = fabric.routes[s];
    text += is_fts ? fmt::format(
                         "Unicast lids [0x0-0x{:x}] of switch DR path slid 0; dlid 0; 0,{} "
                         "guid 0x{:016x} ({}):\n  Lid  Out   Destination\n       Port     "
                         "Info \n",
                         routes.size() - 1, s, node.guid, node.name)
                   : fmt::format("Unicast lids [0-{}] of switch Lid {} guid 0x{:016x} ('{}'):\n",
                                 routes.size() - 1, node.lid, node.guid, node.name);
    unsigned count = 0;
    for (unsigned lid = 1; lid < routes.size(); ++lid) {
      if (routes[lid] == 255) continue;
      ++count;
      text +=
          fmt::format(fmt::runtime(is_fts ? "0x{:04x} {:03} : ({})\n" : "0x{:04x} {:03} # {}\n"),
                      lid, routes[lid], owner(fabric, lid));
    }
    text += is_fts ? fmt::format("{} valid lids dumped \n", count)
                   : fmt::format("{} lids dumped\n", routes.size() - 1);
  }
  return text;
}

void check_tables(const NamedFabric& fabric, const LftFile& file) {
  REQUIRE(file.switches.size() == fabric.routes.size());
  for (std::size_t s = 0; s < fabric.routes.size(); ++s) {
    CHECK(file.switches[s].guid == fabric.nodes[s].guid);
    CHECK(file.switches[s].description == trimmed(fabric.nodes[s].name));
    for (unsigned lid = 1; lid < fabric.routes[s].size(); ++lid) {
      CHECK(file.switches[s].entries.at(static_cast<Lid>(lid)) == fabric.routes[s][lid]);
    }
  }
  for (const LftDestination& to : file.destinations) {
    const std::string found =
        fmt::format("{} portguid 0x{:016x}: '{}'", to.is_switch ? "Switch" : "Channel Adapter",
                    to.port_guid, to.description);
    CHECK(found == owner(fabric, to.lid, true));
  }
}

/// A field of a cabling list, quoted according to RFC 4180.
std::string csv_field(std::string_view field) {
  return "\"" + test::replaced(std::string(field), "\"", "\"\"") + "\"";
}

}  // namespace

TEST_CASE("names that imitate lines of other formats do not change the topology") {
  std::mt19937 random = test::repeatable_random(11);
  for (std::uint64_t round = 0; round < test::seeds_from_environment().count; ++round) {
    const NamedFabric named = draw_fabric(random);
    const Fabric expected = build(named);
    const std::string net = ibnetdiscover(named, round % 2 == 0);
    INFO(net);
    REQUIRE(content_kind(net) == ContentKind::net_file);
    TopologyFile topology = parse_topology(net, "net");
    CHECK(topology.warnings.empty());
    test::check_equal(std::move(topology.builder).build(), expected);

    const std::string database = ibdiagnet_database(named);
    INFO(database);
    REQUIRE(content_kind(database) == ContentKind::ibdiagnet_database);
    TopologyFile tables = parse_ibdiagnet_database(database, "database");
    CHECK(tables.warnings.empty());
    test::check_equal(std::move(tables.builder).build(), expected);

    const std::string list = subnet_list(named);
    INFO(list);
    if (named.cables.empty()) continue;
    REQUIRE(content_kind(list) == ContentKind::subnet_list);
    TopologyFile links = parse_subnet_list(list, "list");
    CHECK(links.warnings.empty());
    check_same_owners(expected, std::move(links.builder).build());

    UfmAnswers ufm;
    for (const std::string& answer : {ufm_links(named), ufm_ports(named)}) {
      INFO(answer);
      REQUIRE(content_kind(answer) == ContentKind::ufm_answer);
      ufm.add(answer, "ufm");
    }
    TopologyFile of_ufm = ufm.build();
    CHECK(of_ufm.warnings.empty());
    check_same_owners(expected, std::move(of_ufm.builder).build());
  }
}

TEST_CASE("names that imitate lines of other formats do not change the forwarding tables") {
  std::mt19937 random = test::repeatable_random(12);
  for (std::uint64_t round = 0; round < test::seeds_from_environment().count; ++round) {
    const NamedFabric named = draw_fabric(random);
    for (const LftFormat format : {LftFormat::dump_fts, LftFormat::opensm_lfts}) {
      const std::string text = dump(named, format);
      INFO(text);
      REQUIRE(content_kind(text) == ContentKind::lft_dump);
      const LftFile file = parse_lft(text, "dump");
      CHECK(file.format == format);
      check_tables(named, file);
      // The dump matches the topology with the same names.
      const MatchedTables matched =
          match_tables(parse_topology(ibnetdiscover(named, true), "net"), file);
      CHECK(matched.fabric.switch_count() == named.routes.size());
    }
  }
}

TEST_CASE("names that imitate lines of other formats do not change the cabling list") {
  std::mt19937 random = test::repeatable_random(13);
  for (std::uint64_t round = 0; round < test::seeds_from_environment().count; ++round) {
    NameMaker names(random);
    std::string list = "StartDevice,StartPort,EndDevice,EndPort\n";
    const std::size_t rows = 1 + random() % 5;
    for (std::size_t row = 0; row < rows; ++row) {
      // The prefixes matter: a device name that starts with '#' would make its row a comment.
      const std::string start = names.next(), end = names.next();
      list += fmt::format("{},Port {},{},{}\n", csv_field("d" + start), row + 1,
                          csv_field("e" + end), csv_field("f" + names.next()));
    }
    INFO(list);
    REQUIRE(content_kind(list) == ContentKind::cable_list);
    CHECK(parse_cable_list(list, "list").rows.size() == rows);
  }
}

TEST_CASE(
    "names that imitate lines of other formats do not change which command an output is from") {
  std::mt19937 random = test::repeatable_random(14);
  NameMaker names(random);
  for (std::uint64_t round = 0; round < 10 * test::seeds_from_environment().count; ++round) {
    const std::string name = names.next(), far = names.next();
    INFO(name << "\n" << far);
    const std::array<std::pair<std::string, std::string_view>, 5> texts{{
        {fmt::format("CA: {}:\n      0x000000000010001f     24    1[  ] ==( 4X           2.5 Gbps "
                     "Active/  LinkUp)==>       6    4[  ] \"{}\" ( )\n",
                     name, far),
         "the output of iblinkinfo"},
        {fmt::format("0x000000000010001f \"{:>30}\"     24    1[  ] ==( 4X           2.5 Gbps "
                     "Active/  LinkUp)==>  0x0000000000200003      6    4[  ] \"{}\" ( )\n",
                     name, far),
         "the output of iblinkinfo"},
        {fmt::format("SW     6  8 0x0000000000200003 4x SDR - SW    12  4 0x0000000000200007 ( "
                     "'{}' - '{}' )\n",
                     name, far),
         "a port list"},
        {fmt::format("Switch\t: 0x0010e08028c7a0a0 ports 36 \"{}\" enhanced port 0 lid 3 lmc 0\n",
                     name),
         "a list of nodes"},
        {fmt::format("START_NODES\nNodeDesc,NumPorts\n\"{}\",1\nEND_NODES\n", name),
         "the database of ibdiagnet"},
    }};
    for (const auto& [text, description] : texts) {
      CHECK_THAT(describe_content(text), Catch::StartsWith(std::string(description)));
    }
  }
}
