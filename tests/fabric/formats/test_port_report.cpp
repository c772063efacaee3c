#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "fabric/formats/port_report.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::built;
using test::error_of;
using test::replaced;
using test::sample_text;

const std::string ports_text = sample_text("other_commands/02-ibnetdiscover-ports.txt");
const std::string info_text = sample_text("other_commands/03-iblinkinfo.txt");
const std::string lines_text = sample_text("other_commands/03-iblinkinfo-line-mode.txt");

TEST_CASE("ibnetdiscover -p and both forms of iblinkinfo give the same topology") {
  TopologyFile ports = parse_port_report(ports_text, "ports");
  CHECK(ports.warnings.empty());
  CHECK_FALSE(ports.has_made_up_guids);
  const Fabric fabric = built(std::move(ports));
  CHECK(fabric.switch_count() == 8);
  CHECK(fabric.host_count() == 16);
  // 16 links between switches, with two channels each.
  CHECK(fabric.channel_count() == 32);
  CHECK(fabric.lids().size() == 24);
  CHECK(fabric.switches()[3].guid == 0x200003);
  CHECK(fabric.switches()[3].description == "leaf 4");
  CHECK(fabric.switches()[3].lid == 6);
  CHECK(fabric.end_ports().back().description == "leaf 4 host 4");
  CHECK(fabric.end_ports().back().port_guid == 0x10001f);
  CHECK(fabric.end_ports().back().lid == 24);
  CHECK(fabric.end_ports().back().rate == parse_link_rate("4xSDR"));
  for (TopologyFile info :
       {parse_link_info(info_text, "info"), parse_link_info(lines_text, "lines")}) {
    REQUIRE(info.warnings.size() == 1);
    CHECK_THAT(info.warnings[0], Catch::Contains("64 link(s) run below what both ends support: ") &&
                                     Catch::Contains("(Could be 12X Could be 10.0 Gbps)"));
    test::check_equal(built(std::move(info)), fabric);
  }
}

TEST_CASE("a port list may have free ports, aggregation nodes and switches without own lines") {
  const std::string text = sample_text("other_commands/05-ibnetdiscover-ports-real-style.txt");
  TopologyFile file = parse_port_report(text, "f");
  REQUIRE(file.warnings.size() == 1);
  CHECK_THAT(file.warnings[0],
             Catch::Contains("1 switch(es) appear only at the other end of links") &&
                 Catch::Contains("'5FB0405-leaf-IB01' (LID 51)"));
  const Fabric fabric = built(std::move(file));
  REQUIRE(fabric.switch_count() == 2);
  CHECK(fabric.switches()[0].lid == 1719);
  CHECK(fabric.switches()[0].ports == 12);
  CHECK(fabric.switches()[1].lid == 51);
  CHECK(fabric.endpoints().size() == 2);
  REQUIRE(fabric.end_port_count() == 3);
  CHECK(fabric.end_ports()[0].kind == EndPortKind::aggregation_node);
  CHECK(fabric.end_ports()[2].rate == parse_link_rate("4xEDR"));
}

TEST_CASE("ports in port lists are grouped into adapters by GUID and name, or by heading") {
  // In port lists, consecutive GUIDs and the same name make one adapter; in iblinkinfo, one
  // heading.
  const auto line = [](unsigned lid, unsigned port, unsigned guid, const char* name) {
    return fmt::format("CA {} {} 0x{:x} 4x EDR - SW 1 {} 0x200 ( '{}' - 'leaf' )\n", lid, port,
                       guid, 10 * lid + port, name);
  };
  Fabric fabric = built(parse_port_report(line(2, 1, 0x1001, "a") + line(3, 2, 0x1002, "a") +
                                              line(4, 1, 0x1003, "b") + line(5, 2, 0x1005, "b") +
                                              line(6, 2, 0x1004, "c"),
                                          "f"));
  // Includes the first ports of two adapters of which only port 2 has a line.
  REQUIRE(fabric.end_port_count() == 7);
  std::map<Guid, std::vector<Guid>> ports_of;
  for (const EndPort& each : fabric.end_ports()) {
    if (each.lid != no_lid) ports_of[each.node_guid].push_back(each.port_guid);
  }
  CHECK(ports_of == std::map<Guid, std::vector<Guid>>{{0x1001, {0x1001, 0x1002}},
                                                      {0x1003, {0x1003}},
                                                      {0x1004, {0x1004}},
                                                      {0x1005, {0x1005}}});
  fabric = built(parse_link_info(
      "CA: a HCA-1:\n"
      " 0x1001 2 1[  ] ==( 4X 25.78125 Gbps Active/  LinkUp)==> 1 3[  ] \"leaf\" ( )\n"
      " 0x2002 3 2[  ] ==( 4X 25.78125 Gbps Active/  LinkUp)==> 1 4[  ] \"leaf\" ( )\n"
      "Switch: 0x200 leaf:\n"
      " 1 3[  ] ==( 4X 25.78125 Gbps Active/  LinkUp)==> 2 1[  ] \"a HCA-1\" ( )\n"
      " 1 4[ 7] ==( 4X 25.78125 Gbps Active/  LinkUp)==> 3 2[  ] \"a HCA-1\" ( )\n"
      " 1 9[  ] ==(           Down/ Polling)==>             [  ] \"\" ( )\n",
      "f"));
  REQUIRE(fabric.end_port_count() == 2);
  CHECK(fabric.end_ports()[0].node_guid == fabric.end_ports()[1].node_guid);
  CHECK(fabric.end_ports()[1].port_guid == 0x2002);
  CHECK(fabric.switches()[0].ports == 9);
  CHECK(fabric.end_ports()[0].rate == parse_link_rate("4xEDR"));
}

TEST_CASE("adapters in the output of iblinkinfo --switches-only get made-up GUIDs and a warning") {
  const std::string switches = info_text.substr(info_text.find("Switch: "));
  std::string only;
  for (std::size_t at = 0; at < switches.size();) {
    const std::size_t next = std::min(switches.find("\nCA: ", at), switches.size());
    only += switches.substr(at, next - at) + "\n";
    at = std::min(switches.find("Switch: ", next), switches.size());
  }
  TopologyFile file = parse_link_info(only, "f");
  CHECK(file.has_made_up_guids);
  REQUIRE(file.warnings.size() == 2);
  CHECK_THAT(file.warnings[0], Catch::Contains("16 node(s) have no GUID in this report"));
  const Fabric fabric = built(std::move(file));
  CHECK(fabric.switch_count() == 8);
  CHECK(fabric.host_count() == 16);
  CHECK(fabric.channel_count() == 32);
  CHECK(fabric.lids().size() == 24);
}

TEST_CASE("port lists may contain console output, CRLF and unusual names") {
  const Fabric plain = built(parse_port_report(ports_text, "f"));
  test::check_equal(plain,
                    built(parse_port_report("[root@head ~]# ibnetdiscover -p\r\n" +
                                                replaced(ports_text, "\n", "\r\n") + "done\n",
                                            "f")));
  const std::string odd = "a \" (b) ' 7 1[  ] ==( )==>";
  const Fabric named = built(parse_link_info(replaced(lines_text, "leaf 4 host 4", odd), "f"));
  CHECK(named.end_ports().back().description == odd);
  CHECK(named.host_count() == 16);
}

TEST_CASE("rates in port lists are decoded, and unknown rates cause a warning") {
  for (const auto& [speed, name] : {std::pair("2.5", "SDR"),
                                    {"5.0", "DDR"},
                                    {"10.0", "QDR"},
                                    {"FDR10", "FDR10"},
                                    {"14.0625", "FDR"},
                                    {"25.78125", "EDR"},
                                    {"53.125", "HDR"},
                                    {"106.25", "NDR"},
                                    {"212.5", "XDR"}}) {
    const Fabric fabric = built(parse_link_info(
        replaced(lines_text, "4X           2.5", fmt::format("2X {}", speed)), "f"));
    CHECK(fabric.end_ports()[0].rate == parse_link_rate(fmt::format("2x{}", name)));
  }
  TopologyFile file = parse_link_info(replaced(lines_text, "2.5 Gbps", "undefined (9)"), "f");
  CHECK_THAT(file.warnings.back(), Catch::Contains("64 unknown rate(s)"));
  file = parse_port_report(replaced(ports_text, "4x SDR", "4x ???"), "f");
  CHECK_THAT(file.warnings.back(), Catch::Contains("64 unknown rate(s)"));
}

TEST_CASE("contradictory and truncated port lists are refused") {
  const auto ports_error = [](const std::string& text) {
    return error_of([&] { parse_port_report(text, "f"); });
  };
  const auto info_error = [](const std::string& text) {
    return error_of([&] { parse_link_info(text, "f"); });
  };
  CHECK_THAT(ports_error("CA 24 1 4x SDR"), Catch::Contains("f:1: ") && Catch::Contains("GUID"));
  CHECK_THAT(ports_error("CA 24 1 0x1f 4x SDR - SW 6"), Catch::Contains("f:1: "));
  CHECK_THAT(ports_error("CA 24 1 0x1f 4x SDR - SW 6 4 0x203 ( 'a' "),
             Catch::Contains("the descriptions of both ends are missing"));
  CHECK_THAT(ports_error("CA 24 1 0x1f 4x SDR - \n"), Catch::Contains("f:1: "));
  CHECK_THAT(ports_error("SW 6 255 0x1f 4x SDR 'a'\n"), Catch::Contains("f:1: port 255"));
  CHECK_THAT(ports_error("SW 6 1 0x1f 4x SDR 'a'\nSW 7 2 0x1f 4x SDR 'a'\n"),
             Catch::Contains("f:2: switch 'a' has LID 7 here and LID 6 in line 1"));
  CHECK_THAT(ports_error("SW 6 1 0x1f 4x SDR 'a'\nSW 6 1 0x1e 4x SDR 'b'\n"),
             Catch::Contains("LID"));
  CHECK_THAT(ports_error("nothing of the kind\n"),
             Catch::Contains("expected the output of ibnetdiscover -p"));
  CHECK_THAT(info_error(" 1 3[  ] ==( 4X 2.5 Gbps Active/ LinkUp)==> 2 1[  ] \"a\" ( )\n"),
             Catch::Contains("f:1: the line with the node"));
  CHECK_THAT(info_error("Switch: 0x200 a:\n 1 3[  ] ==( 4X 2.5 Gbps Active/ Lin"),
             Catch::Contains("f:2: the state of the link is missing"));
  CHECK_THAT(
      info_error("Switch: 0x200 a:\n 1 3[  ] ==( 4X 2.5 Gbps Active/ LinkUp)==> 2 1[  ] \"b"),
      Catch::Contains("f:2: the description of the other end"));
  CHECK_THAT(
      info_error("Switch: 0x200 a:\n 0 3[  ] ==( 4X 2.5 Gbps Active/ LinkUp)==> 0 1[  ] \"b\" ( )"),
      Catch::Contains("neither a GUID nor a LID"));
  CHECK_THAT(info_error("CA: a:\n"), Catch::Contains("expected the output of iblinkinfo"));
}

}  // namespace
}  // namespace pssp
