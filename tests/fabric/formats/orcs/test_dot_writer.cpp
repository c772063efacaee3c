#include "fabric/formats/lft_matching.h"
#include "fabric/formats/orcs/dot_file.h"
#include "fabric/formats/orcs/dot_writer.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::sample_text;

TEST_CASE("names in written graphs let ORCS distinguish hosts from switches") {
  FabricBuilder builder;
  const NodeId good = builder.add_switch(1, 8, "S1", "good");
  const NodeId like_host = builder.add_switch(2, 8, "Hub", "a switch");
  const NodeId host = builder.add_adapter(0x10, 1, EndPortKind::channel_adapter, "H1", "");
  const NodeId no_h = builder.add_adapter(0x20, 1, EndPortKind::channel_adapter, "node01", "");
  const NodeId blank = builder.add_adapter(0x30, 1, EndPortKind::channel_adapter, "H 3", "");
  const NodeId sharp = builder.add_adapter(0x40, 1, EndPortKind::aggregation_node, "H4", "");
  const NodeId two = builder.add_adapter(0x50, 2, EndPortKind::channel_adapter, "H5", "");
  builder.connect(good, 1, like_host, 1, {});
  PortNumber port = 2;
  for (const NodeId node : {host, no_h, blank, sharp, two})
    builder.connect(good, port++, node, 1, {});
  builder.connect(like_host, 2, two, 2, {});
  const Fabric fabric = std::move(builder).build();
  const DotNames names = dot_names(fabric);
  CHECK(names.switches == std::vector<std::string>{"S1", "S-0000000000000002"});
  CHECK(names.end_ports == std::vector<std::string>{"H1", "H-0000000000000021",
                                                    "H-0000000000000031", "A-0000000000000041",
                                                    "H5", "H-0000000000000052"});
}

/// Reads golden/small.net with the tables that opensm computed for it. It has two switches, an
/// adapter with two ports, a router, and descriptions with quotes.
MatchedTables small_fabric() {
  return match_tables(parse_topology(sample_text("golden/small.net"), "net"),
                      parse_lft(sample_text("golden/lmc0.opensm-lfts.dump"), "dump"));
}

TEST_CASE("written graphs contain descriptions, kinds of end ports and rates") {
  const MatchedTables small = small_fabric();
  const std::string text = to_dot(small.fabric, &small.tables);
  // In golden/lmc0.opensm-lfts.dump, leaf two sends LIDs 1 and 5 through ports 7 and 8 to leaf one.
  CHECK_THAT(text, Catch::Contains(R"("leaf two" -> "H-0000000000000101" ["key"="1", )") ||
                       Catch::Contains(R"("S-0002c90300000200" -> "H-0000000000000101")"));
  CHECK_THAT(text, Catch::Contains(R"("label"="host 'a' [rack #3] mlx5_0")"));
  CHECK_THAT(text, Catch::Contains(R"("kind"="router")"));
  CHECK_THAT(text, Catch::Contains(R"("rate"="2xHDR")"));
}

TEST_CASE("graphs keep LIDs, ports and entries of routers and adapters with two ports") {
  const MatchedTables small = small_fabric();
  DotFile graph = parse_dot(to_dot(small.fabric, &small.tables), "graph");
  const MatchedTables back = match_tables(std::move(graph.topology), *graph.tables);
  CHECK(back.warnings.empty());
  std::size_t cabled = 0;
  for (const EndPort& before : small.fabric.end_ports()) {
    if (!before.attached.valid()) continue;
    ++cabled;
    const auto after = back.fabric.find_end_port(before.port_guid);
    REQUIRE(after.has_value());
    CHECK(back.fabric.end_port(*after).lid == before.lid);
    CHECK(back.fabric.end_port(*after).kind == before.kind);
    CHECK(back.fabric.end_port(*after).switch_port == before.switch_port);
    for (std::uint32_t s = 0; s < small.fabric.switch_count(); ++s) {
      CHECK(back.tables.at(SwitchId(s), before.lid) == small.tables.at(SwitchId(s), before.lid));
    }
  }
  const auto is_cabled = [](const EndPort& port) { return port.attached.valid(); };
  CHECK(std::count_if(back.fabric.end_ports().begin(), back.fabric.end_ports().end(), is_cabled) ==
        static_cast<std::ptrdiff_t>(cabled));
}

TEST_CASE("attributes in written graphs are quoted, and the last one of a name counts") {
  const MatchedTables small = small_fabric();
  std::vector<DotEdge> edges;
  const std::string text =
      to_dot(small.fabric, &small.tables, [&](DotEdge edge, std::vector<DotAttribute>& attributes) {
        edges.push_back(edge);
        attributes.push_back({"note", "first"});
        attributes.push_back({"note", "a \"b\" \\"});
      });
  CHECK_THAT(text, Catch::Contains(R"("note"="a \"b\" /"])") && !Catch::Contains("first"));
  std::size_t ports = 0;
  for (const EndPort& port : small.fabric.end_ports()) ports += port.attached.valid() ? 1 : 0;
  CHECK(edges.size() == small.fabric.channel_count() + 2 * ports);
}

}  // namespace
}  // namespace pssp
