#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "fabric/formats/ibdiagnet_database.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::built;
using test::error_of;
using test::replaced;
using test::replaced_once;
using test::sample_text;

const std::string database_text = sample_text("golden/lmc2.ibdiagnet2.db_csv");

/// Two switches and an adapter. `width` and `speed` apply to the link between the switches, `state`
/// to its first end.
std::string small_database(std::string_view width, std::string_view speed,
                           std::string_view state = "4") {
  return fmt::format(
      "START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID\n\"a\",4,2,0x10\n\"b\",4,2,0x20\n\"h\",1,1,"
      "0x30\nEND_NODES\nSTART_PORTS\nNodeGuid,PortNum,LID,LinkWidthActv,LinkSpeedActv,PortState\n"
      "0x10,0,1,0,0,0\n0x10,1,0,{0},{1},{2}\n0x20,0,2,0,0,0\n0x20,1,0,{0},{1},4\n0x30,1,3,2,1,4\n"
      "END_PORTS\nSTART_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0x10,1,0x20,1\n"
      "0x10,2,0x30,1\nEND_LINKS\n",
      width, speed, state);
}

TEST_CASE("a database of ibdiagnet gives the same fabric as ibnetdiscover") {
  TopologyFile file = parse_ibdiagnet_database(database_text, "db");
  CHECK(file.warnings.empty());
  CHECK_FALSE(file.has_made_up_guids);
  const Fabric fabric = built(std::move(file));
  test::check_equal(fabric, built(read_topology(test::sample("golden/lmc2.ibnetdiscover"))));
  test::check_equal(fabric, built(parse_ibdiagnet_database(
                                "$ cat it\n" + replaced(database_text, "\n", "\r\n"), "db")));
}

TEST_CASE("a published example of a database of ibdiagnet is read") {
  TopologyFile file = parse_ibdiagnet_database(sample_text("other_commands/db_csv.txt"), "db");
  CHECK(file.warnings.empty());
  const Fabric fabric = built(std::move(file));
  REQUIRE(fabric.switch_count() == 1);
  CHECK(fabric.switches()[0].ports == 65);
  CHECK(fabric.switches()[0].lid == 22);
  REQUIRE(fabric.end_port_count() == 1);
  CHECK(fabric.end_ports()[0].lid == 1);
  CHECK(fabric.end_ports()[0].port_guid == 0x1000000000000001);
  CHECK(fabric.end_ports()[0].rate == parse_link_rate("4xNDR"));
}

TEST_CASE("codes of widths and speeds in a database of ibdiagnet are decoded") {
  constexpr std::array<std::array<std::string_view, 3>, 9> rates{{{"1", "1", "1xSDR"},
                                                                  {"2", "2", "4xDDR"},
                                                                  {"4", "4", "8xQDR"},
                                                                  {"8", "256", "12xFDR"},
                                                                  {"16", "512", "2xEDR"},
                                                                  {"2", "1024", "4xHDR"},
                                                                  {"2", "0x800", "4xNDR"},
                                                                  {"2", "65536", "4xFDR10"},
                                                                  {"2", "16777216", "4xXDR"}}};
  for (const auto& [width, speed, name] : rates) {
    TopologyFile file = parse_ibdiagnet_database(small_database(width, speed), "f");
    CHECK(file.warnings.empty());
    const Fabric fabric = built(std::move(file));
    REQUIRE(fabric.channel_count() == 2);
    CHECK(to_string(fabric.channel_rate()[0]) == name);
  }
  for (const auto& [width, speed] : {std::pair("3", "1"), std::pair("2", "3"),
                                     std::pair("2", "131072"), std::pair("N/A", "1")}) {
    const TopologyFile file = parse_ibdiagnet_database(small_database(width, speed), "f");
    REQUIRE(file.warnings.size() == 1);
    CHECK_THAT(file.warnings[0],
               Catch::StartsWith("f: 1 link(s) without a known rate; these links get "));
  }
}

TEST_CASE("gaps and contradictions in a database of ibdiagnet cause warnings") {
  const auto warning_of = [](const std::string& text) {
    const TopologyFile file = parse_ibdiagnet_database(text, "f");
    REQUIRE(file.warnings.size() == 1);
    return file.warnings[0];
  };
  const std::string text = small_database("2", "1024");
  CHECK(warning_of(small_database("2", "1024", "1")) ==
        "f: 1 link(s) that are down, left out: 0x0000000000000010 port 1 (line 17)");
  CHECK(warning_of(replaced_once(text, "0x20,1,0,2,1024", "0x20,1,0,1,1024")) ==
        "f: 1 link(s) whose ends state different rates; the slower rate is used: "
        "0x0000000000000010 port 1 (line 17)");
  CHECK(warning_of(replaced_once(text, "0x10,2,0x30,1\n", "0x10,2,0x40,1\n")) ==
        "f: 1 port(s) and link(s) of nodes that are not in section NODES, left out: "
        "0x0000000000000040 port 1 (line 18)");
  const std::size_t ports = text.find("START_PORTS"), links = text.find("START_LINKS");
  const TopologyFile bare =
      parse_ibdiagnet_database(text.substr(0, ports) + text.substr(links), "f");
  REQUIRE(bare.warnings.size() == 2);
  CHECK(bare.warnings[0] == "f: section PORTS, which has LIDs and rates, is missing");
  CHECK_FALSE(bare.builder.has_lids());
  // Sections may come in any order.
  const std::string other_order =
      text.substr(links) + text.substr(ports, links - ports) + text.substr(0, ports);
  test::check_equal(built(parse_ibdiagnet_database(other_order, "f")),
                    built(parse_ibdiagnet_database(text, "f")));
}

TEST_CASE("a database of ibdiagnet that is invalid, contradictory or truncated is refused") {
  const std::string text = small_database("2", "1024");
  const auto error_with = [&](std::string_view from, std::string_view to) {
    return error_of([&] {
      parse_ibdiagnet_database(replaced_once(text, std::string(from), std::string(to)), "f");
    });
  };
  CHECK_THAT(
      error_of([&] { parse_ibdiagnet_database(text.substr(0, text.find("START_L")), "f"); }),
      Catch::StartsWith("3: f: section LINKS is missing: the file looks like the database of "
                        "ibdiagnet") &&
          Catch::EndsWith("ibdiagnet2.ibnetdiscover of the same folder has the topology, "
                          "too"));
  CHECK_THAT(
      error_of([] { parse_ibdiagnet_database("hello\n", "f"); }),
      Catch::Contains("section NODES is missing: the file looks like text of an unknown format"));
  CHECK(error_with("NodeType", "Type") == "3: f:3: section NODES has no column NodeType");
  CHECK_THAT(error_with("\"h\",1,1", "\"h\",1,4"),
             Catch::StartsWith("3: f:5: '4' in column NodeT"));
  CHECK_THAT(error_with("\"h\",1,1", "\"h\",255,1"), Catch::StartsWith("3: f:5: '255' in column "));
  CHECK_THAT(error_with("\"h\",1,1,0x30", "\"h\",1,1,0x20"), Catch::StartsWith("3: f:5: "));
  CHECK_THAT(error_with("0x20,0,2,", "0x20,0,1,"), Catch::StartsWith("3: f:11: "));
  CHECK_THAT(error_with("0x20,1,0,", "0x20,0,0,"),
             Catch::StartsWith("3: f:12: port 0 of node 0x0000000000000020 is already at line 11"));
  CHECK_THAT(error_with("0x10,2,0x30,1\n", "0x10,1,0x30,1\n"), Catch::StartsWith("3: f:18: "));
  CHECK_THAT(error_with("0x10,2,0x30,1\n", "0x10,2,0x30,2\n"), Catch::StartsWith("3: f:18: "));
  // A database truncated anywhere, even between two sections, is refused.
  const std::size_t end = database_text.find("END_LINKS");
  for (std::size_t size = database_text.find("START_NODES") + 1; size < end; size += 7) {
    CHECK_THROWS_AS(parse_ibdiagnet_database(database_text.substr(0, size), "f"), Error);
  }
}

}  // namespace
}  // namespace pssp
