#include <fmt/format.h>

#include <array>

#include "fabric/formats/lft_matching.h"
#include "fabric/formats/orcs/dot_file.h"
#include "fabric/formats/orcs/dot_writer.h"
#include "routing/engines/engine.h"
#include "tests/fabric/formats/format_testing.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

using test::error_of;
using test::replaced;

MatchedTables match(const DotFile& graph) {
  REQUIRE(graph.tables.has_value());
  return match_tables(graph.topology, *graph.tables);
}

MatchedTables read_routes(std::string_view text) { return match(parse_dot(text, "graph")); }

bool warns(const std::vector<std::string>& warnings, std::string_view part) {
  return std::any_of(warnings.begin(), warnings.end(),
                     [part](const std::string& w) { return w.find(part) != std::string::npos; });
}

SwitchId switch_named(const Fabric& fabric, std::string_view name) {
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (fabric.switch_at(SwitchId(s)).name == name) return SwitchId(s);
  }
  FAIL(name);
  return {};
}

const EndPort& host_named(const Fabric& fabric, std::string_view name) {
  for (const EndPort& port : fabric.end_ports()) {
    if (port.name == name) return port;
  }
  FAIL(name);
  return fabric.end_ports().front();
}

/// Name of the next hop of packets at the switch `at` to the host `to`.
std::string next_hop(const MatchedTables& from, std::string_view at, std::string_view to) {
  const Fabric& fabric = from.fabric;
  const SwitchId s = switch_named(fabric, at);
  const PortTarget target = fabric.behind(s, from.tables.at(s, host_named(fabric, to).lid));
  if (target.kind == PortTarget::Kind::channel)
    return fabric.switch_at(SwitchId(fabric.channel_head()[target.index])).name;
  if (target.kind == PortTarget::Kind::end_port)
    return fabric.end_port(EndPortId(target.index)).name;
  return "nowhere";
}

/// Source: listing 1 of the ORCS report, with the closing brace that the listing lacks.
constexpr std::string_view listing_1 = R"(digraph network {
        "S1" -> "H1" [ comment = "H1" ];
        "S1" -> "H2" [ comment = "H2" ];
        "S1" -> "H3" [ comment = "H3" ];
        "S1" -> "H4" [ comment = "H4" ];
        "H1" -> "S1" [ comment = "*" ];
        "H2" -> "S1" [ comment = "*" ];
        "H3" -> "S1" [ comment = "*" ];
        "H4" -> "S1" [ comment = "*" ];

        "S1" -> "S11" [ comment = "H5" ];
        "S1" -> "S11" [ comment = "H6" ];
        "S1" -> "S12" [ comment = "H7" ];
        "S1" -> "S12" [ comment = "H8" ];

        "S11" -> "S1" [ comment = "H1, H2" ];
        "S11" -> "S1" [ comment = "H3, H4" ];
        "S12" -> "S1" [ comment = "H1, H2" ];
        "S12" -> "S1" [ comment = "H3, H4" ];
}
)";

TEST_CASE("the example of the ORCS report is read") {
  const MatchedTables read = read_routes(listing_1);
  const Fabric& fabric = read.fabric;
  CHECK(fabric.switch_count() == 3);
  CHECK(fabric.end_port_count() == 4);
  CHECK(fabric.channel_count() == 8);
  CHECK(next_hop(read, "S1", "H3") == "H3");
  CHECK(next_hop(read, "S11", "H1") == "S1");
  const SwitchId s11 = switch_named(fabric, "S11");
  CHECK(read.tables.at(s11, host_named(fabric, "H1").lid) ==
        read.tables.at(s11, host_named(fabric, "H2").lid));
  CHECK(read.tables.at(s11, host_named(fabric, "H1").lid) !=
        read.tables.at(s11, host_named(fabric, "H3").lid));
  CHECK(warns(read.warnings,
              "4 destination(s) that are not hosts of the graph: 'H5' of 'S1' -> "
              "'S11' (line 11)"));
  CHECK(host_named(fabric, "H1").lid == 1);
  CHECK(host_named(fabric, "H4").lid == 4);
  CHECK(fabric.switches()[0].lid == no_lid);
}

TEST_CASE("a star alone means all hosts, and the first of several edges for a host counts") {
  const std::string graph =
      "digraph { H1 -> A [comment=\"*\"]; H2 -> A [comment=\"*\"]; H3 -> B [comment=\"*\"];"
      "A -> H1 [comment=H1]; A -> H2 [comment=H2]; A -> B [comment=\"*\"];"
      "B -> A [comment=\"H1 ,H2\t\n\"]; B -> H3 [comment=\"H3, H1\"] }";
  const MatchedTables read = read_routes(graph);
  CHECK(next_hop(read, "A", "H3") == "B");
  CHECK(next_hop(read, "A", "H1") == "H1");
  CHECK(next_hop(read, "B", "H1") == "A");
  CHECK(next_hop(read, "B", "H3") == "H3");
  CHECK(warns(read.warnings, "1 destination(s) at two edges of a node"));
  const MatchedTables listed =
      read_routes(replaced(graph, "A -> B [comment=\"*\"]", "A -> B [comment=\"H3 *\"]"));
  CHECK(warns(listed.warnings, "1 list(s) with a '*'"));
  CHECK(next_hop(listed, "A", "H3") == "B");
}

TEST_CASE("hosts that do not send everything to their switch cause a warning") {
  const std::string graph =
      "digraph { S -> H1 [comment=H1]; S -> H2 [comment=H2]; S -> H3 [comment=H3];"
      "H1 -> S [comment=\"H2,H3\"]; H2 -> S [comment=\"H1\"]; H3 -> S }";
  CHECK(warns(read_routes(graph).warnings,
              "2 host(s) whose edge lists neither '*' nor all other hosts; treated as if it listed "
              "all hosts: "
              "'H2' -> 'S' (line 1), 'H3' -> 'S'"));
}

TEST_CASE("ports of a graph are numbered by key, or else in the order of edges in ORCS") {
  const auto port_of = [](const DotFile& graph, std::string_view from, std::string_view to) {
    const Fabric fabric = FabricBuilder(graph.topology.builder).build();
    const SwitchId s = switch_named(fabric, from);
    for (std::uint32_t c = fabric.first_channel()[s.value()];
         c < fabric.first_channel()[s.value() + 1]; ++c) {
      if (fabric.switch_at(SwitchId(fabric.channel_head()[c])).name == to)
        return unsigned{fabric.channel_out_port()[c]};
    }
    return 0U;
  };
  const DotFile by_order =
      parse_dot("digraph { A; B; C; A -> C; A -> B; B -> A; C -> A }", "graph");
  CHECK(port_of(by_order, "A", "B") == 1);
  CHECK(port_of(by_order, "A", "C") == 2);
  CHECK_FALSE(by_order.tables.has_value());
  const DotFile by_key =
      parse_dot("digraph { A; B; C; A -> C [key=7]; A -> B [key=9]; B -> A; C -> A }", "graph");
  CHECK(port_of(by_key, "A", "B") == 9);
  CHECK(port_of(by_key, "A", "C") == 7);
  const DotFile same_key =
      parse_dot("digraph { A; B; C; A -> C [key=7]; A -> B [key=7]; B -> A; C -> A }", "graph");
  CHECK(port_of(same_key, "A", "C") == 2);
}

TEST_CASE("links stated in one direction only and loops in a graph cause warnings") {
  const DotFile graph = parse_dot("digraph { A -> B; A -> B; B -> A; A -> A; H1 -> A }", "graph");
  CHECK(warns(graph.topology.warnings, "2 link(s) stated in one direction only"));
  CHECK(warns(graph.topology.warnings, "1 edge(s) from a node to itself, left out"));
  const Fabric fabric = FabricBuilder(graph.topology.builder).build();
  CHECK(fabric.channel_count() == 4);
  CHECK(fabric.end_ports()[0].attached.valid());
}

TEST_CASE("GUIDs of a graph come from attributes, from names, or from the order") {
  const Fabric stated =
      std::move(
          parse_dot(
              "digraph { S [guid=\"0x2c9\"]; H1 [guid=16]; T; S -> H1; H1 -> S; S -> T; T -> S }",
              "g")
              .topology.builder)
          .build();
  CHECK(stated.find_switch(0x2c9).has_value());
  CHECK(stated.find_switch(0x200000).has_value());
  CHECK(stated.end_ports()[0].node_guid == 16);
  const Fabric named =
      std::move(
          parse_dot("digraph { \"0002c90300000101\" -> H0000000000001001; }", "g").topology.builder)
          .build();
  CHECK(named.find_switch(0x2c90300000101).has_value());
  CHECK(named.find_end_port(0x1001).has_value());
}

void check_round_trip(const Fabric& fabric, const ForwardingTables& tables) {
  const std::string text = to_dot(fabric, &tables);
  const DotFile graph = parse_dot(text, "graph");
  const MatchedTables back = match(graph);
  CHECK(back.warnings.empty());
  REQUIRE(back.fabric.switch_count() == fabric.switch_count());
  REQUIRE(back.fabric.end_port_count() == fabric.end_port_count());
  const auto same = [](auto x, auto y) {
    return std::equal(x.begin(), x.end(), y.begin(), y.end());
  };
  CHECK(same(back.fabric.channel_head(), fabric.channel_head()));
  CHECK(same(back.fabric.channel_out_port(), fabric.channel_out_port()));
  CHECK(same(back.fabric.channel_in_port(), fabric.channel_in_port()));
  CHECK(same(back.fabric.channel_rate(), fabric.channel_rate()));
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const Switch& before = fabric.switch_at(SwitchId(s));
    const Switch& after = back.fabric.switch_at(SwitchId(s));
    CHECK(after.guid == before.guid);
    CHECK(after.ports == before.ports);
    CHECK(after.name == before.name);
    CHECK(after.description == before.description);
    for (const EndPort& to : fabric.end_ports()) {
      CHECK(back.tables.at(SwitchId(s), to.lid) == tables.at(SwitchId(s), to.lid));
    }
  }
  for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
    const EndPort& before = fabric.end_port(EndPortId(e));
    const EndPort& after = back.fabric.end_port(EndPortId(e));
    CHECK(after.node_guid == before.node_guid);
    CHECK(after.port_guid == before.port_guid);
    CHECK(after.kind == before.kind);
    CHECK(after.lid == before.lid);
    CHECK(after.attached == before.attached);
    CHECK(after.switch_port == before.switch_port);
    CHECK(after.rate == before.rate);
    CHECK(after.name == before.name);
    CHECK(after.description == before.description);
  }
  // The text is also the same, with all attributes of the edges.
  CHECK(to_dot(back.fabric, &back.tables) == text);
}

TEST_CASE("a graph that is written and read again has the same fabric and tables") {
  for (const char* const kind :
       {"k-ary-n-tree 4 2 --lids --rate 4xHDR", "mesh 3x4 --hosts 2 --parallel 3 --lids",
        "torus 3x3x3 --shuffle-guids --lids=hosts-first", "random-regular 12 --degree 3 --lids",
        "chic --kill-links 30 --lids"}) {
    INFO(kind);
    const Fabric fabric = make_fabric(kind);
    check_round_trip(fabric, make_engine("pssp", {})->route(fabric).tables);
  }
}

TEST_CASE("unknown attributes of edges are kept when a graph is written again") {
  const std::string text =
      "digraph { edge [style=dashed]; S -> H1 [comment=H1, color=\"0.4 0.9 0.9\", weight=3]; S -> "
      "H2 [comment=H2];"
      "H1 -> S [comment=\"*\", label=\"a \\\"b\\\"\"]; H2 -> S [comment=\"*\"] }";
  const DotFile graph = parse_dot(text, "graph");
  const MatchedTables read = match(graph);
  const std::string again =
      to_dot(read.fabric, &read.tables, [&](DotEdge edge, std::vector<DotAttribute>& attributes) {
        graph.notes.append(read.fabric, edge, attributes);
        attributes.push_back({"color", "red"});
      });
  CHECK_THAT(again, Catch::Contains(R"("S" -> "H1" ["key"="1", "in_port"="1", "comment"="H1", )"
                                    R"("weight"="3", "color"="red"];)"));
  CHECK_THAT(again, Catch::Contains(R"("comment"="*", "label"="a \"b\"", "color"="red"];)"));
  CHECK_THAT(again, !Catch::Contains("0.4 0.9"));
}

TEST_CASE("the attributes of a chain of edges apply to all its edges and to no other edge") {
  const DotFile graph =
      parse_dot("digraph { S -> T -> U [color=red]; U -> T; T -> S [color=blue] }", "graph");
  const Fabric fabric = FabricBuilder(graph.topology.builder).build();
  const auto colour = [&](std::uint32_t tail, std::uint32_t head) -> std::string {
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      if (fabric.channel_tail()[c] != tail || fabric.channel_head()[c] != head) continue;
      std::vector<DotAttribute> attributes;
      graph.notes.append(fabric, {DotEdge::Kind::channel, c}, attributes);
      return attributes.empty() ? "none" : attributes.front().value;
    }
    return "no such edge";
  };
  CHECK(colour(0, 1) == "red");
  CHECK(colour(1, 2) == "red");
  CHECK(colour(2, 1) == "none");
  CHECK(colour(1, 0) == "blue");
}

TEST_CASE("each invalid graph is refused with the reason and the line") {
  const std::array<std::pair<std::string, std::string>, 9> expected{{
      {"graph { a -- b }", "this graph is undirected"},
      {"digraph { }", "the graph has no nodes"},
      {"digraph { S [comment=x];\nS -> T [comment=x]; T -> S }", "no host with a link"},
      {"digraph { S [guid=zero]; }", "graph:1: the GUID of node 'S' is garbled"},
      {"digraph { S [guid=1];\nT [guid=1]; }", "graph:2: "},
      {"digraph { H1 -> S [comment=\"*\"];\nH1 -> T; S -> T; T -> S }",
       "graph:1: host 'H1' has more than one link"},
      {"digraph { edge [comment=\"H1, H2\"]; S -> H1;\nS -> H2; H1 -> S; H2 -> S }",
       "several edges share a list of destinations"},
      {"digraph { S -> H1 -> S [comment=\"H1, H2\"]; }",
       "several edges share a list of destinations"},
      {[] {
         std::string many = "digraph {\n";
         for (unsigned i = 0; i < 300; ++i) many += fmt::format("S -> H{}\n", i);
         return many + "}";
       }(),
       "graph:256: node 'S' has more than 254 edges"},
  }};
  for (const auto& [text, message] : expected) {
    INFO(text.substr(0, 200));
    CHECK_THAT(error_of([&, &text = text] { parse_dot(text, "graph"); }),
               Catch::StartsWith("3: ") && Catch::Contains(message));
  }
}

TEST_CASE("damaged graphs cause nothing worse than an Error") {
  const Fabric fabric = make_fabric("k-ary-n-tree 2 2 --lids --rate 4xEDR");
  const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  const std::array<std::string, 2> texts{to_dot(fabric, &tables), std::string(listing_1)};
  std::mt19937 random = test::repeatable_random(6);
  std::size_t refused = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    try {
      const DotFile graph = parse_dot(test::damaged(texts[round % 2], random), "graph");
      if (graph.tables) match(graph);
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 0);
  for (std::size_t size = 0; size < texts[0].size(); size += 3) {
    if (texts[0].find('}', size) == std::string::npos) break;
    CHECK_THAT(error_of([&] { parse_dot(texts[0].substr(0, size), "graph"); }),
               Catch::StartsWith("3: "));
  }
}

}  // namespace
}  // namespace pssp
