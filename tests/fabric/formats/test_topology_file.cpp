#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "fabric/formats/topology_file.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::check_equal;
using test::error_of;
using test::replaced;
using test::replaced_once;
using test::sample_text;

Fabric fabric_of(std::string_view text) {
  return std::move(parse_topology(text, "topo").builder).build();
}

std::vector<std::string> warnings_of(std::string_view text) {
  return parse_topology(text, "topo").warnings;
}

const std::string& two_switches() {
  static const std::string text =
      "Switch\t8 \"S1\"\n"
      "[1]\t\"H1\"[1]\n"
      "[7]\t\"S2\"[7]\n"
      "[8]\t\"S2\"[6]\n"
      "\n"
      "Switch\t4 \"S2\"\n"
      "[1]\t\"H2\"[2]\n"
      "[6]\t\"S1\"[8]\n"
      "[7]\t\"S1\"[7]\n"
      "\n"
      "Hca\t1 \"H1\"\n"
      "[1]\t\"S1\"[1]\n"
      "\n"
      "Ca\t2 \"H2\"\t\t# \"second host\"\n"
      "[2]\t\"S2\"[1]\n"
      "\n"
      "Ca\t1 \"H3\"\n";
  return text;
}

TEST_CASE("a net file without GUIDs gets the GUIDs that ibsim assigns by file order") {
  const Fabric fabric = fabric_of(replaced(two_switches(), "4 \"S2\"", "8 \"S2\""));
  REQUIRE(fabric.switch_count() == 2);
  CHECK(fabric.switches()[0].guid == 0x200000);
  CHECK(fabric.switches()[0].name == "S1");
  CHECK(fabric.switches()[0].description == "S1");
  CHECK(fabric.switches()[1].guid == 0x200001);
  REQUIRE(fabric.end_port_count() == 4);
  // One-port adapters take two GUIDs, two-port adapters three.
  CHECK(fabric.end_ports()[0].node_guid == 0x100000);
  CHECK(fabric.end_ports()[0].port_guid == 0x100001);
  CHECK(fabric.end_ports()[1].node_guid == 0x100002);
  CHECK(fabric.end_ports()[1].port_guid == 0x100003);
  CHECK(fabric.end_ports()[2].port_guid == 0x100004);
  CHECK(fabric.end_ports()[2].description == "second host");
  CHECK(fabric.end_ports()[3].node_guid == 0x100005);
  CHECK_FALSE(fabric.has_lids());
  CHECK(parse_topology(replaced(two_switches(), "4 \"S2\"", "8 \"S2\""), "").has_made_up_guids);
}

TEST_CASE("links, parallel links, unused ports and adapters without a cable are read") {
  const Fabric fabric = fabric_of(replaced(two_switches(), "4 \"S2\"", "8 \"S2\""));
  const auto s1 = SwitchId(0);
  const auto s2 = SwitchId(1);
  REQUIRE(fabric.channel_count() == 4);
  const PortTarget seventh = fabric.behind(s1, 7);
  REQUIRE(seventh.kind == PortTarget::Kind::channel);
  CHECK(fabric.channel_head()[seventh.index] == s2.value());
  CHECK(fabric.channel_in_port()[seventh.index] == 7);
  const PortTarget eighth = fabric.behind(s1, 8);
  REQUIRE(eighth.kind == PortTarget::Kind::channel);
  CHECK(fabric.channel_in_port()[eighth.index] == 6);
  CHECK(fabric.behind(s1, 2).kind == PortTarget::Kind::none);
  CHECK(fabric.behind(s2, 1).kind == PortTarget::Kind::end_port);
  CHECK(fabric.end_ports()[0].attached == s1);
  CHECK_FALSE(fabric.end_ports()[1].attached.valid());  // port 1 of H2
  CHECK(fabric.end_ports()[2].attached == s2);
  CHECK_FALSE(fabric.end_ports()[3].attached.valid());  // H3
}

TEST_CASE("LIDs, LMC, port GUIDs, rates and descriptions of ibnetdiscover are read") {
  const Fabric fabric = fabric_of(sample_text("golden/lmc2.ibnetdiscover"));
  REQUIRE(fabric.switch_count() == 2);
  CHECK(fabric.switches()[0].guid == 0x2c90300000101);
  CHECK(fabric.switches()[0].lid == 16);
  CHECK(fabric.switches()[0].lmc == 0);
  CHECK(fabric.switches()[0].description == "MF0;leaf-1:MQM8700/U1");
  REQUIRE(fabric.end_port_count() == 6);
  const EndPort& gateway = fabric.end_ports()[5];
  CHECK(gateway.kind == EndPortKind::router);
  CHECK(gateway.lid == 24);
  const EndPort& a = fabric.end_ports()[2];
  CHECK(a.node_guid == 0x1000);
  CHECK(a.port_guid == 0x1001);
  CHECK(a.lid == 4);
  CHECK(a.lmc == 2);
  CHECK(a.description == "host 'a' [rack #3] mlx5_0");
  CHECK(to_string(a.rate) == "4xHDR");
  CHECK(to_string(fabric.end_ports()[3].rate) == "2xHDR");
  CHECK(to_string(fabric.channel_rate()[0]) == "4xHDR");
  CHECK_FALSE(parse_topology(sample_text("golden/lmc2.ibnetdiscover"), "").has_made_up_guids);
}

TEST_CASE("descriptions may contain quotes, hashes, brackets, blanks and words of the format") {
  const std::array<std::string, 6> descriptions{
      "with \"quotes\" inside",   "#1 [rack] (5)", " blanks  ", "\"", "a\" lid 9 4xEDR",
      "x lid 3 lmc 1 base port 0"};
  for (const std::string& description : descriptions) {
    INFO(description);
    const std::string text = fmt::format(
        "switchguid=0x10(10)\nSwitch\t4 \"S-1\"\t\t# \"{0}\" base port 0 lid 7 lmc 0\n"
        "[1]\t\"H-1\"[1](21) \t\t# \"{0}\" lid 8 4xHDR\n\n"
        "caguid=0x20\nCa\t1 \"H-1\"\t\t# \"{0}\"\n"
        "[1](21) \t\"S-1\"[1]\t\t# lid 8 lmc 1 \"{0}\" lid 7 4xHDR\n",
        description);
    const Fabric fabric = fabric_of(text);
    // Leading and trailing blanks are not part of a description.
    const std::string expected = description == " blanks  " ? "blanks" : description;
    CHECK(fabric.switches()[0].description == expected);
    CHECK(fabric.switches()[0].lid == 7);
    CHECK(fabric.end_ports()[0].description == expected);
    CHECK(fabric.end_ports()[0].lid == 8);
    CHECK(fabric.end_ports()[0].lmc == 1);
    CHECK(to_string(fabric.end_ports()[0].rate) == "4xHDR");
  }
}

TEST_CASE("an empty description stays empty, and a missing one is replaced by the identifier") {
  const Fabric fabric = fabric_of(
      "Switch 4 \"S1\" # \"\"\n[1] \"H1\"[1]\n[2] \"H2\"[1]\n[3] \"H3\"[1]\n[4] \"H4\"[1]\n\n"
      "Hca 1 \"H1\" # \"\"\n[1] \"S1\"[1]\n\nHca 1 \"H2\"\n[1] \"S1\"[2]\n\n"
      "Hca 1 \"H3\" # \"  \"\n[1] \"S1\"[3]\n\nHca 1 \"H4\" #\n[1] \"S1\"[4]\n");
  CHECK(fabric.switches()[0].description.empty());
  CHECK(fabric.switches()[0].name == "S1");
  std::vector<std::string> descriptions;
  for (const EndPort& port : fabric.end_ports()) descriptions.push_back(port.description);
  CHECK(descriptions == std::vector<std::string>{"", "H2", "", "H4"});
}

TEST_CASE("aggregation nodes are recognized by their description") {
  const std::string text = replaced_once(sample_text("golden/lmc0.ibnetdiscover"), "# \"host c\"\n",
                                         "# \"Mellanox Technologies Aggregation Node\"\n");
  const Fabric fabric = fabric_of(text);
  CHECK(fabric.end_ports()[0].kind == EndPortKind::aggregation_node);
  CHECK_FALSE(fabric.is_endpoint(EndPortId(0)));
  BuilderOptions options;
  options.roles.aggregation_nodes = true;
  CHECK(std::move(parse_topology(text, "").builder).build(options).is_endpoint(EndPortId(0)));
}

/// Variants of the text that must not change its meaning.
std::map<std::string, std::string> untidy_forms(const std::string& text) {
  std::map<std::string, std::string> forms;
  forms["CRLF"] = replaced(text, "\n", "\r\n");
  forms["two carriage returns"] = replaced(text, "\n", "\r\r\n");
  forms["blanks for tabs"] = replaced(text, "\t", "        ");
  forms["lost tabs"] = replaced(text, "\t", "");
  forms["lost blank lines"] = replaced(text, "\n\n", "\n");
  forms["a blank line behind every line"] = replaced(text, "\n", "\n\n");
  forms["indented"] = "  " + replaced(text, "\n", "\n  ");
  forms["byte order mark"] = "\xEF\xBB\xBF" + text;
  forms["no final line feed"] = text.substr(0, text.find_last_not_of('\n') + 1);
  forms["console"] =
      "Last login: Mon Jan  5 on tty1\n[root@head ~]# ibnetdiscover\n[1] 4711\n" + text +
      "\n[1]+  Done                    ibnetdiscover\n[root@head ~]# Connection to head closed.\n";
  forms["vendor lines lost"] = replaced(replaced(text, "vendid=0x0\n", ""), "devid=0x0\n", "");
  forms["chassis titles"] = "Chassis 1 (guid 0x8f104004)\n\nSpine 1 Chip 1\n" + text;
  forms["external ports"] = replaced(text, "[1](", "[1][ext 5](");
  return forms;
}

TEST_CASE("changed whitespace, line ends and console output do not change a topology") {
  for (const char* const name : {"golden/small.net", "golden/lmc2.ibnetdiscover"}) {
    const std::string text = sample_text(name);
    const Fabric tidy = fabric_of(text);
    for (const auto& [form, untidy] : untidy_forms(text)) {
      INFO(name << ": " << form);
      TopologyFile topology = parse_topology(untidy, name);
      CHECK(topology.warnings.empty());
      const Fabric fabric = std::move(topology.builder).build();
      check_equal(tidy, fabric);
    }
  }
}

TEST_CASE("GUID lines may be absolute or relative, and later nodes count on from them") {
  const Fabric fabric = fabric_of(
      "switchguid=0x5000(5000)\nSwitch 4 \"A\"\nSwitch 4 \"B\"\nswitchguid+16\nSwitch 4 \"C\"\n"
      "hcaguids=0x900\nHca 2 \"D\"\nHca 1 \"E\"\ncaguid=0x700\nCa 1 \"F\"\n");
  REQUIRE(fabric.switch_count() == 3);
  CHECK(fabric.switches()[0].guid == 0x5000);
  CHECK(fabric.switches()[1].guid == 0x5001);
  CHECK(fabric.switches()[2].guid == 0x5010);
  CHECK(fabric.end_ports()[0].node_guid == 0x700);
  CHECK(fabric.end_ports()[1].node_guid == 0x900);
  CHECK(fabric.end_ports()[3].node_guid == 0x903);
}

TEST_CASE("a missing GUID line is replaced by the GUID in the identifier of ibnetdiscover") {
  const std::string text = replaced_once(sample_text("golden/lmc0.ibnetdiscover"),
                                         "switchguid=0x2c90300000101(2c90300000101)\n", "");
  const std::vector<std::string> warnings = warnings_of(text);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("1 node(s) without a GUID line") != std::string::npos);
  check_equal(fabric_of(text), fabric_of(sample_text("golden/lmc0.ibnetdiscover")));
}

TEST_CASE("modules prefix identifiers, and aliases name ports, as in ibsim") {
  const Fabric fabric = fabric_of(
      "module=\"one\"\nSwitch 4 \"S\"\n[1] \"H\"[1]\n@[4] \"up\"\nCa 1 \"H\"\n[1] \"S\"[1]\n"
      "module=\"two\"\nSwitch 4 \"S\"\n[1] \"H\"\n[3] \"one@up\"\n[4] \"one#S\"[3]\nCa 1 "
      "\"H\"\n[1] \"S\"[1]\n");
  REQUIRE(fabric.switch_count() == 2);
  CHECK(fabric.switches()[0].name == "one#S");
  CHECK(fabric.switches()[1].description == "two#S");
  REQUIRE(fabric.channel_count() == 4);
  CHECK(fabric.behind(SwitchId(1), 3).kind == PortTarget::Kind::channel);
  CHECK(fabric.channel_in_port()[fabric.behind(SwitchId(1), 3).index] == 4);
  CHECK(fabric.channel_in_port()[fabric.behind(SwitchId(1), 4).index] == 3);
  CHECK(fabric.end_ports()[1].attached == SwitchId(1));
}

std::string rate_between(std::string_view a, std::string_view b) {
  const Fabric fabric = fabric_of(
      fmt::format("Switch 4 \"A\"\n[1] \"B\"[1] {}\nSwitch 4 \"B\"\n[1] \"A\"[1] {}\n", a, b));
  return to_string(fabric.channel_rate()[0]);
}

TEST_CASE("the rate of a link is the slower stated one, or the best that both ends enable") {
  CHECK(rate_between("", "").empty());
  CHECK(rate_between("# \"B\" lid 0 4xHDR", "").substr(0) == "4xHDR");
  CHECK(rate_between("# \"B\" lid 0 4xHDR", "# \"A\" lid 0 4xHDR s=4 w=2 e=32") == "4xHDR");
  CHECK(rate_between("# \"B\" lid 0 4xHDR", "# \"A\" lid 0 4xEDR") == "4xEDR");
  CHECK(rate_between("w=12", "w=31") == "12xSDR");
  CHECK(rate_between("w=3 s=7", "w=1 s=3") == "1xDDR");
  CHECK(rate_between("s=0", "s=4") == "4xQDR");
  CHECK(rate_between("e=7", "e=3") == "4xEDR");
  CHECK(rate_between("w=3", "") == "4xSDR");  // the other end has the defaults of ibsim
  CHECK(rate_between("# \"B\" lid 0 4x37", "").empty());
  const Fabric fabric =
      fabric_of("width=8\nspeed=7\nSwitch 4 \"A\"\n[1] \"B\"[1]\nSwitch 4 \"B\"\n[1] \"A\"[1]\n");
  CHECK(to_string(fabric.channel_rate()[0]) == "12xQDR");
}

TEST_CASE("the warning about an unknown rate states which rate the link gets") {
  const auto warning = [](std::string_view a, std::string_view b) {
    const auto warnings = warnings_of(
        fmt::format("Switch 4 \"A\"\n[1] \"B\"[1] {}\nSwitch 4 \"B\"\n[1] \"A\"[1] {}\n", a, b));
    REQUIRE(warnings.size() == 1);
    return warnings[0];
  };
  CHECK(warning("# \"B\" lid 0 4x???", "# \"A\" lid 0 4x???") ==
        "topo: 1 unknown rate(s); these links get the fabric's most frequent rate: '4x\?\?\?' "
        "(line 2)");
  const std::string_view others =
      "topo: 1 unknown rate(s); these links get the rate of their other end or of the "
      "masks "
      "w=, s=, e=: ";
  CHECK(warning("# \"B\" lid 0 4x??? s=4 w=2", "# \"A\" lid 0 4x??? s=4 w=2") ==
        std::string(others) + "'4x\?\?\?' (line 2: 4xQDR)");
  CHECK(warning("# \"B\" lid 0 4xEDR", "# \"A\" lid 0 4x???") ==
        std::string(others) + "'4x\?\?\?' (line 4: 4xEDR)");
  CHECK(rate_between("# \"B\" lid 0 4x??? s=4 w=2", "# \"A\" lid 0 4x??? s=4 w=2") == "4xQDR");
}

TEST_CASE("guid=0x in a description does not set a GUID") {
  const std::string text = "Switch 4 \"S-00000000000000ab\" # \"{}\"\n";
  CHECK(fabric_of(replaced(text, "{}", "switchguid=0x1")).switches()[0].guid == 0x200000);
  CHECK(fabric_of(replaced(text, "{}", "a")).switches()[0].guid == 0x200000);
}

TEST_CASE("the output of ibnetdiscover on a node without a link is refused with the reason") {
  const std::string lone = sample_text("other_commands/04-only-the-own-node.topo");
  CHECK(
      error_of([&] { parse_topology(lone, "topo"); }) ==
      "3: topo: ibnetdiscover saw only the node it ran on (\"gpu-node-17 HCA-1\"); its port has no "
      "link. Run it on a connected node");
  CHECK_THAT(error_of([] { parse_topology("Ca 2 \"H-1\"\n", "topo"); }),
             Catch::Contains("(\"H-1\"); none of its 2 ports has a link. Run it"));
  CHECK_THAT(error_of([] {
               parse_topology(
                   "# Initiated from node 00000000000000ab port 00000000000000ab\n"
                   "switchguid=0xab(ab)\nSwitch 36 \"S-00000000000000ab\" # \"leaf\"\n",
                   "topo");
             }),
             Catch::Contains("(\"leaf\"); none of its 36 ports has a link. Run it"));
  CHECK(fabric_of("Switch 36 \"S\"\n").switch_count() == 1);
}

TEST_CASE("a cable between two adapters is read") {
  const TopologyFile file = parse_topology(sample_text("other_commands/b2b.topo"), "topo");
  CHECK(file.warnings.empty());
  const auto far = file.builder.far_end(NodeId(0), 1);
  REQUIRE(far);
  CHECK(far->node == NodeId(1));
  CHECK(to_string(far->rate) == "4xEDR");
}

TEST_CASE("a LID may be stated by only one end of a link") {
  const Fabric fabric = fabric_of(
      "Switch 4 \"A\"\n[1] \"H\"[1] # \"host\" lid 5 4xHDR\n[2] \"B\"[2] # \"B\" lid 7 4xHDR\n"
      "Switch 4 \"B\" # \"B\" base port 0 lid 0 lmc 0\n[2] \"A\"[2] # \"A\" lid 6 4xHDR\nCa 1 "
      "\"H\"\n[1] \"A\"[1] # lid 65535 lmc 0 \"A\" lid 6 4xHDR\n");
  CHECK(fabric.switches()[0].lid == 6);
  CHECK(fabric.switches()[1].lid == 7);
  CHECK(fabric.end_ports()[0].lid == 5);
}

TEST_CASE("comments without quotes are interpreted as by ibsim") {
  const Fabric fabric = fabric_of(
      "Switch 4 \"A\" # first switch base port 0 lid 3 lmc 0\n[1] \"H\"[1] # host lid 4 4xEDR\n"
      "Ca 1 \"H\" # the host\n[1] \"A\"[1] # lid 4 lmc 0 lid 3 4xEDR\n");
  CHECK(fabric.switches()[0].description == "first switch");
  CHECK(fabric.switches()[0].lid == 3);
  CHECK(fabric.end_ports()[0].description == "the host");
  CHECK(fabric.end_ports()[0].lid == 4);
  CHECK(to_string(fabric.end_ports()[0].rate) == "4xEDR");
}

TEST_CASE("omissions and assumptions cause warnings with counts and examples") {
  const auto has = [](const std::vector<std::string>& warnings, std::string_view part) {
    return std::any_of(warnings.begin(), warnings.end(),
                       [part](const std::string& w) { return w.find(part) != std::string::npos; });
  };
  const std::string base = replaced(two_switches(), "4 \"S2\"", "8 \"S2\"");
  CHECK(warnings_of(base).empty());

  const auto undefined =
      warnings_of(base + "\nSwitch\t4 \"S3\"\n[1]\t\"gone\"[1]\n[2]\t\"gone\"[2]\n");
  CHECK(has(undefined, "topo: 1 node(s) mentioned but never defined"));
  CHECK(has(undefined, "'gone' (line 20)"));

  const std::string half = replaced_once(base, "[7]\t\"S1\"[7]\n", "");
  CHECK(has(warnings_of(half),
            "1 link(s) stated by one end only; treated as up: 'S1'[7] to 'S2'[7] (line 3)"));
  CHECK(fabric_of(half).channel_count() == 4);

  CHECK(has(warnings_of(replaced_once(base, "\"H1\"[1]", "\"H1\"[1] # \"\" lid 0 4x1234")),
            "'4x1234' (line 2)"));
  CHECK(has(warnings_of("do Unlink \"S1\"[7]\n" + base), "console"));
  CHECK(has(warnings_of("Switch 4 \"A\"\n[1] \"B\"[1] # \"\" lid 0 4xHDR\nSwitch 4 \"B\"\n[1] "
                        "\"A\"[1] # \"\" lid 0 4xEDR\n"),
            "different rates"));
}

TEST_CASE("repeated lines and cables from a switch to itself add no links") {
  const std::string base = replaced(two_switches(), "4 \"S2\"", "8 \"S2\"");
  const Fabric fabric = fabric_of(replaced_once(
      base, "[7]\t\"S2\"[7]\n",
      "[7]\t\"S2\"[7]\n[7]\t\"S2\"[7]\n[2]\t\"S1\"[3]\n[3]\t\"S1\"[2]\n[4]\t\"S1\"[4]\n"));
  CHECK(fabric.channel_count() == 4);
  CHECK(fabric.behind(SwitchId(0), 2).kind == PortTarget::Kind::none);
}

TEST_CASE("each invalid topology is refused with the reason and the line") {
  const std::map<std::string, std::string> expected{
      {"archive.gz", "a gzip archive"},
      {"blank", "it looks like an empty file"},
      {"cut_off.ibnetdiscover", "the file is cut off: 2 nodes are mentioned but never defined"},
      {"cut_off_in_line.net", ":12: 'Ca 1' begins a node"},
      {"duplicate_guid.net", ":7: GUID 0x0000000000000077 of switch 'S2' already belongs to 'S1'"},
      {"duplicate_identifier.net", ":5: node 'S1' is already defined at line 1"},
      {"duplicate_lid.net", ":5: LID 5 of 'S2' already belongs to 'S1'"},
      {"duplicate_port_guid.net",
       ":6: port GUID 0xabc1 of 'H2'[1] belongs to another port at line 2"},
      {"empty", "it looks like an empty file"},
      {"ends_disagree.net",
       ":3: 'S1'[7] is cabled to 'S2'[7] here, but line 7 cables 'S2'[7] to 'S1'[6]"},
      {"garbled_guid.net", ":1: 'switchguid=0xlost' states no GUID"},
      {"guid_zero.net", ":2: switch 'S1' has GUID 0"},
      {"identifier_without_quotes.net", ":5: 'Switch 8 S2' begins a node"},
      {"include.net", ":1: included files are not supported"},
      {"lid_beyond_range.net", ":1: LID 49152 (LMC 0) of 'S1' is outside the unicast range"},
      {"lid_far_beyond_range.net", ":1: lid is not a number or is too large"},
      {"lids_disagree.net", ":7: LID of switch 'S1' is 6 here and 5 at line 1"},
      {"lmc_beyond_range.net", ":1: LMC 8 of 'S1' is out of range"},
      {"lost_node_line.net", ":6: '[1] \"H2\"[1]' describes a port, but the line of its node"},
      {"no_ports.net", ":1: node 'S1' has 0 ports"},
      {"node_list", "it looks like a list of nodes"},
      {"nul_byte.net", ":5: NUL byte at offset 40"},
      {"port_beyond_node.net",
       ":3: port 9 of 'S1' does not exist: the node has ports 1 to 8 (line 1)"},
      {"port_cabled_twice.net",
       ":4: port 7 of 'S1' is cabled to 'H2'[1] here and to 'S2'[7] at line 3"},
      {"port_guids_disagree.net", ":10: port GUID of 'H1'[1] is 0xabc2 here and 0xabc1 at line 2"},
      {"port_zero.net", ":3: port 0 of 'S1' does not exist"},
      {"random_text", "text of an unknown format"},
      {"rates_without_overlap.net", ":3: this port and 'S2'[7] enable no common width"},
      {"remote_identifier_without_quotes.net", ":3: '[7] S2[7]'"},
      {"remote_port_beyond_node.net",
       ":3: 'S2'[9] does not exist: the node has ports 1 to 8 (line 5)"},
      {"remote_port_zero.net", ":3: 'S2'[0] does not exist"},
      {"router_without_guid.net", ":15: router 'R' has no GUID"},
      {"tables.lft", "it looks like forwarding tables (dump_fts)"},
      {"too_many_ports.net", ":1: node 'S1' has 255 ports"},
      {"two_claims_on_a_port.net", ":9: 'S2'[2] is cabled to 'H3'[1] here, but line 4"},
      {"utf16.net", "this is UTF-16 text"},
  };
  std::size_t files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(test::sample("bad_inputs/topology"))) {
    const std::string name = entry.path().filename().string();
    INFO(name);
    REQUIRE(expected.contains(name));
    const std::string error = error_of([&] { read_topology(entry.path()); });
    CHECK_THAT(error, Catch::StartsWith("3: ") && Catch::Contains(name) &&
                          Catch::Contains(expected.at(name)));
    ++files;
  }
  CHECK(files == expected.size());
}

TEST_CASE("a topology with an endless line is refused") {
  const std::string line(std::size_t{64} << 20, 'x');
  CHECK_THAT(error_of([&] { parse_topology(line, "topo"); }),
             Catch::Contains("topo:1: the line is longer than 65536 bytes"));
  CHECK_THAT(error_of([&] { parse_topology("Switch 4 \"A\"\n[1] \"" + line, "topo"); }),
             Catch::Contains("topo:2: the line is longer"));
}

TEST_CASE("the name of a module has at most 64 bytes, as identifiers in ibsim") {
  const auto topology = [](std::size_t length) {
    return "Switch 1 \"S\"\nmodule=\"" + std::string(length, 'm') + "\"\nSwitch 1 \"S\"\n";
  };
  CHECK(parse_topology(topology(64), "topo").builder.node_count() == 2);
  CHECK_THAT(error_of([&] { parse_topology(topology(65), "topo"); }),
             Catch::Contains("topo:2: the name of a module has 65 bytes; expected at most 64"));
}

TEST_CASE("more nodes than a subnet can have are refused") {
  std::string text;
  for (unsigned i = 0; i < 49152; ++i) text += fmt::format("Ca 254 \"{}\"\n", i);
  CHECK_THAT(error_of([&] { parse_topology(text, "topo"); }),
             Catch::Contains("topo:49152: more than 49151 nodes"));
}

TEST_CASE("a topology truncated at any byte is refused, or is a smaller valid topology") {
  for (const char* const name : {"golden/small.net", "golden/lmc2.ibnetdiscover"}) {
    const std::string text = sample_text(name);
    for (std::size_t size = 0; size < text.size(); ++size) {
      try {
        const Fabric fabric = fabric_of(std::string_view(text).substr(0, size));
        CHECK(fabric.switch_count() + fabric.host_count() > 0);
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::unreadable_input);
      }
    }
  }
}

TEST_CASE("output of ibnetdiscover without the node on which it ran is refused as truncated") {
  const std::string text = sample_text("golden/lmc0.ibnetdiscover");
  const std::size_t mention = text.find("\"H-0000000000001000\"");
  const std::size_t definition = text.find("Ca\t1 \"H-0000000000001000\"");
  REQUIRE(mention < definition);
  for (std::size_t size = text.find('\n', mention); size <= definition; ++size) {
    CHECK_THROWS_AS(fabric_of(std::string_view(text).substr(0, size)), Error);
  }
}

TEST_CASE("damaged topologies cause nothing worse than an Error of unreadable input") {
  const std::array<std::string, 3> texts{sample_text("golden/small.net"),
                                         sample_text("golden/lmc2.ibnetdiscover"), two_switches()};
  std::mt19937 random = test::repeatable_random(2);
  std::size_t refused = 0;
  for (unsigned round = 0; round < 6000; ++round) {
    const std::string text = test::damaged(texts[round % texts.size()], random);
    try {
      fabric_of(text);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unreadable_input);
      ++refused;
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("saved real fabrics are read completely") {
  struct Expected {
    const char* file;
    std::size_t switches, adapters, aggregation_nodes;
  };
  for (const Expected& expected : {Expected{"hdr-666-switches.ibnetdiscover", 666, 4341, 666},
                                   Expected{"ndr-40-switches.ibnetdiscover", 40, 582, 40}}) {
    const std::filesystem::path path = test::saved_fabric(expected.file);
    if (path.empty()) {
      WARN("skipped: no saved fabric " << expected.file);
      continue;
    }
    TopologyFile topology = read_topology(path);
    CHECK(topology.warnings.empty());
    const Fabric fabric = std::move(topology.builder).build();
    CHECK(fabric.switch_count() == expected.switches);
    CHECK(fabric.host_count() == expected.adapters);
    const auto ports = fabric.end_ports();
    CHECK(std::count_if(ports.begin(), ports.end(), [](const EndPort& e) {
            return e.kind == EndPortKind::aggregation_node;
          }) == static_cast<std::ptrdiff_t>(expected.aggregation_nodes));
    if (expected.switches == 666) CHECK(fabric.channel_count() == std::size_t{2} * 8511);
  }
}

TEST_CASE("a topology in another format is refused with the command that converts it") {
  const auto refusal = [](const char* file) {
    return error_of([file] { parse_topology(sample_text(file), "f"); });
  };
  for (const char* const file :
       {"other_commands/db_csv.txt", "other_commands/02-ibnetdiscover-ports.txt",
        "other_commands/03-iblinkinfo.txt", "golden/lmc0.opensm-subnet.lst", "omnet/small.ned"}) {
    CHECK_THAT(refusal(file), Catch::StartsWith("3: f: this is ") &&
                                  Catch::EndsWith("; a net file is needed here: run 'pssp convert "
                                                  "f -o fabric.net' and name fabric.net instead"));
  }
  CHECK_THAT(refusal("golden/lmc2.dump_fts"), Catch::EndsWith("\"S-0002c90200405060\""));
}

}  // namespace
}  // namespace pssp
