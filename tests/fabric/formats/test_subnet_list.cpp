#include <algorithm>
#include <array>

#include "fabric/formats/subnet_list.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::error_of;
using test::replaced;
using test::replaced_once;
using test::sample_text;

const char* const golden = "golden/lmc0.opensm-subnet.lst";

TEST_CASE("a link list gives the same fabric as ibnetdiscover") {
  TopologyFile list = parse_subnet_list(sample_text(golden), "list");
  CHECK(list.warnings.empty());
  TopologyFile found = read_topology(test::sample("golden/lmc0.ibnetdiscover"));
  test::check_equal(std::move(list.builder).build(), std::move(found.builder).build());
}

TEST_CASE("link lists may contain console output, CRLF and descriptions with braces") {
  const std::string text = replaced(sample_text(golden), "{host c}", "{host } { c} LID}");
  const TopologyFile plain = parse_subnet_list(text, "list");
  const TopologyFile crlf =
      parse_subnet_list("[root@head ~]# cat it\n" + replaced(text, "\n", "\r\n"), "list");
  test::check_equal(FabricBuilder(plain.builder).build(), FabricBuilder(crlf.builder).build());
  const Fabric fabric = FabricBuilder(plain.builder).build();
  CHECK(fabric.end_ports()[0].description == "host } { c} LID");
}

TEST_CASE("a link list with each link once, as from ibdiagnet, causes no warning") {
  const std::string text = sample_text(golden);
  std::string once, swapped;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    const std::string line = text.substr(at, end - at);
    // Of the two lines of a link, keep the one whose first end has the smaller GUID.
    const auto guid = [&line](std::size_t from) {
      const std::size_t guid_at = line.find("PortGUID:", from);
      return std::pair(line.substr(guid_at, 25), guid_at);
    };
    const auto [near, near_at] = guid(0);
    const auto far = guid(near_at + 1).first;
    if (near < far) once += line;
    at = end;
  }
  REQUIRE(once.size() < text.size());
  const TopologyFile list = parse_subnet_list(once, "list");
  CHECK(list.warnings.empty());
  test::check_equal(FabricBuilder(list.builder).build(),
                    FabricBuilder(parse_subnet_list(text, "list").builder).build());
  const TopologyFile mixed = parse_subnet_list(text.substr(text.find('\n') + 1), "list");
  REQUIRE(mixed.warnings.size() == 1);
  CHECK_THAT(mixed.warnings[0], Catch::Contains("1 link(s) stated by one end only"));
}

TEST_CASE("links that are down and unknown rates in a link list cause warnings") {
  const std::string text = sample_text(golden);
  const TopologyFile down = parse_subnet_list(replaced(text, "LOG=ACT", "LOG=DWN"), "list");
  CHECK(FabricBuilder(down.builder).build().channel_count() == 0);
  REQUIRE(down.warnings.size() == 1);
  CHECK_THAT(down.warnings[0], Catch::Contains("link(s) that are down"));
  const TopologyFile odd = parse_subnet_list(replaced(text, "SPD=50", "SPD=??"), "list");
  CHECK_THAT(odd.warnings.at(0), Catch::Contains("unknown rate(s)"));
}

TEST_CASE("descriptions that contain the syntax of link lists are read as descriptions") {
  for (const std::string name :
       {"x} LID:0009 PN:02 }", "} LID:0003 PN:01 } { SW Ports:08 SystemGUID:1 NodeGUID:2 PortGUID:",
        "} PHY=4x LOG=DWN SPD=10", "{{}{} { CA Ports:02",
        "} LID:0001 PN:01 } PHY=1x LOG=DWN SPD=5"}) {
    INFO(name);
    std::string text = replaced(sample_text(golden), "{host c}", "{" + name + "}");
    text = replaced(text, "{MF0;leaf-2:MQM8700/U1}", "{" + name + "}");
    const TopologyFile plain = parse_subnet_list(sample_text(golden), "list");
    const TopologyFile read = parse_subnet_list(text, "list");
    CHECK(read.warnings.empty());
    const Fabric fabric = FabricBuilder(read.builder).build();
    const Fabric expected = FabricBuilder(plain.builder).build();
    CHECK(fabric.lids().size() == expected.lids().size());
    CHECK(std::ranges::equal(fabric.channel_head(), expected.channel_head()));
    CHECK(fabric.end_ports()[0].description == name);
  }
}

TEST_CASE("a missing last line end of a link list causes only a warning") {
  const std::string text = sample_text(golden);
  const TopologyFile list = parse_subnet_list(text.substr(0, text.size() - 1), "list");
  REQUIRE(list.warnings.size() == 1);
  CHECK_THAT(list.warnings[0], Catch::Contains("the last line has no line end"));
  test::check_equal(FabricBuilder(list.builder).build(),
                    std::move(parse_subnet_list(text, "list").builder).build());
}

TEST_CASE("each invalid link list is refused with the reason and the line") {
  const std::string text = sample_text(golden);
  const std::array<std::pair<std::string, std::string>, 10> expected{{
      {"", "list: this is not a link list: it looks like an empty file"},
      {sample_text("golden/small.net"), "it looks like a topology"},
      {text.substr(0, text.rfind(" LOG=")), "the state of the link is missing"},
      {replaced_once(text, "NodeGUID:", "NodeGUD:"), "list:1: 'NodeGUD:"},
      {replaced_once(text, "NodeGUID:0000000000000100", "NodeGUID:0000000000000000"),
       "list:1: a node has the GUID 0"},
      {replaced_once(text, "PN:01", "PN:09"), "list:1: port 9 of a node with 2 ports"},
      {replaced_once(text, "CA Ports", "XX Ports"), "list:1: 'XX' is not a type of node"},
      {replaced_once(text, "Ports:02", "Ports:03"),
       "has another type or number of ports than at line 1"},
      {replaced_once(text, "LID:0003", "LID:0009"), "has LID 3 here and 9 at line 1"},
      {replaced_once(text, "PHY=4x", "4x"), "list:1: the state of the link is missing"},
  }};
  for (const auto& [bad, message] : expected) {
    CHECK_THAT(error_of([&, &bad = bad] { parse_subnet_list(bad, "list"); }),
               Catch::StartsWith("3: ") && Catch::Contains(message));
  }
}

TEST_CASE("damaged link lists cause nothing worse than an Error") {
  const std::string text = sample_text(golden);
  std::mt19937 random = test::repeatable_random(7);
  std::size_t refused = 0;
  for (unsigned round = 0; round < 2000; ++round) {
    try {
      std::move(parse_subnet_list(test::damaged(text, random), "list").builder).build();
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unreadable_input);
      ++refused;
    }
  }
  CHECK(refused > 0);
}

}  // namespace
}  // namespace pssp
