#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "fabric/builder.h"
#include "fabric/formats/cable_list.h"
#include "fabric/formats/chassis_name.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

using Catch::Contains;
using Catch::StartsWith;

constexpr const char* header = "StartDevice,StartPort,EndDevice,EndPort\n";

CableListEnd end_from(const std::string& device, const std::string& port) {
  const CableList list = parse_cable_list(header + device + "," + port + ",other,Port 9\n", "list");
  REQUIRE(list.rows.size() == 1);
  return list.rows.front().start;
}

TEST_CASE("ends of cables in a cabling list are interpreted as in UFM") {
  using Kind = CableListEnd::Kind;
  struct Case {
    const char *device, *port, *identity;
    Kind kind;
    unsigned number;
  };
  for (const Case& each : {Case{"Leaf 7", "Port 21", "leaf 7", Kind::switch_chip, 21},
                           Case{"leaf", "pOrT 3", "leaf", Kind::switch_chip, 3},
                           Case{"Core", "Blade 16_Port 2/20", "core/l16/u2", Kind::switch_chip, 20},
                           Case{"core", "Blade 05_Port 20", "core/l5/u1", Kind::switch_chip, 20},
                           Case{"core", "blade S3_port 1/4", "core/s3/u1", Kind::switch_chip, 4},
                           Case{"MF0;A:M/U1", "Port 1", "a", Kind::switch_chip, 1},
                           Case{"n1", "n1 ibp11s0f0", "n1 ibp11s0f0", Kind::adapter, 0},
                           Case{"N1", "n1 HCA-1 Port 2", "n1 hca-1", Kind::adapter, 2},
                           Case{"n1", "mlx5_3", "n1 mlx5_3", Kind::adapter, 0},
                           Case{"n1", "n11 x", "n1 n11 x", Kind::adapter, 0},
                           Case{"n1", "Port 255", "n1 port 255", Kind::adapter, 0},
                           Case{"n1", "2", "n1", Kind::unknown, 2}}) {
    INFO(each.device << " " << each.port);
    const CableListEnd end = end_from(each.device, each.port);
    CHECK(end.identity == each.identity);
    CHECK(end.kind == each.kind);
    CHECK(end.port == each.number);
    CHECK(end.guid == 0);
  }
  CHECK(end_from("0x00000000000000fF", "Port 1").guid == 0xFF);
}

TEST_CASE("names of switch chips are split into system, board, slot and chip") {
  const auto leaf = parse_chassis_name("MF0;a:b:MCS8500/L05/U2");
  REQUIRE(leaf);
  CHECK((leaf->system == "a:b" && leaf->board == 'l' && leaf->slot == 5 && leaf->chip == 2));
  CHECK(parse_chassis_name("MF0;x:M/S03/U1")->board == 's');
  CHECK(parse_chassis_name("MF0;x:M/U1")->board == 0);
  for (const char* none : {"", "MF0;", "MF0;x", "MF0;x:M", "MF0;x:M/", "MF0;:M/U1", "MF0;x/U1",
                           "MF0;x:M/L1", "MF0;x:M/L1U1", "MF0;x:M/U1/L1", "MF0;x:M/Ux", "x:M/U1"}) {
    INFO(none);
    CHECK_FALSE(parse_chassis_name(none));
  }
  CHECK(node_identity("MF0;A:M/L016/U1") == node_identity("MF0;a:N/L16/U1"));
  CHECK(node_identity("MF0;A:M/U1") == "a");
}

TEST_CASE("a cabling list may have any form of header, column order, comments and empty fields") {
  for (const char* first : {"StartDevice", "#StartDevice", "#Fields:StartDevice",
                            "# fields: startdevice", "\"StartDevice\"", " STARTDEVICE "}) {
    INFO(first);
    const CableList list =
        parse_cable_list(std::string("\xEF\xBB\xBF") + first +
                             ",EndPort,Note,EndDevice,StartPort,StartPort,Speed,LinkType\r\n"
                             "a,Port 1,\"x,\r\ny\",b,Port 2,Port 77,100000,Data\r\n"
                             "# a comment,\r\n"
                             "b,Port 2,,a,Port 1,,,\r\n"
                             "a,Port 3,,b,Port 4,,,Management\r\n"
                             "a,Port 3,,,Port 4,,,Data\r\n",
                         "list");
    REQUIRE(list.rows.size() == 1);
    CHECK(list.rows.front().start.port == 2);
    CHECK(list.rows.front().end.port == 1);
    CHECK(list.rows.front().megabits == 100'000);
    CHECK(list.rows.front().line == 2);
    CHECK(list.warnings.size() == 2);
  }
}

TEST_CASE("contradictory or invalid cabling lists are refused with file and line") {
  const auto refusal = [](const std::string& text) {
    try {
      parse_cable_list(text, "list");
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
    return std::string("taken");
  };
  CHECK_THAT(refusal(""), StartsWith("list: the file is empty"));
  CHECK_THAT(refusal("a,b\n"), StartsWith("list:1: the header lacks startdevice startport"));
  const std::string top = header;
  CHECK_THAT(refusal(top + "a,Port 1,b\n"), StartsWith("list:2: the row has 3 fields"));
  CHECK_THAT(refusal(top + "a,,b,Port 1\n"), StartsWith("list:2: the port at 'a' is empty"));
  CHECK_THAT(refusal(top + "a,Port 1,A,Port 1\n"), Contains("is cabled to itself"));
  CHECK_THAT(
      refusal(top + "a,1,b,2\n\nc,3,b,2\n"),
      StartsWith("list:4: 'b' '2' has a cable to 'c' '3' here and one to 'a' '1' in list:2"));
  CHECK_THAT(refusal(top + "n,n x,b,Port 1\nn,n x,b,Port 2\n"), Contains("ends with ' Port 2'"));
  for (const char* speed : {"-1", "1e5", "fast", "100000001", "99999999999999999999", "nan"}) {
    INFO(speed);
    CHECK_THAT(refusal("Speed," + top + speed + ",a,1,b,2\n"), Contains("is not a speed"));
  }
  CHECK_THAT(refusal(top + "\x1b[31m,Port 1,b,\n"), !Contains("\x1b"));
}

TEST_CASE("several cabling lists are joined and must not contradict each other") {
  const auto list = [](const char* rows, const char* name) {
    return parse_cable_list(std::string(header) + rows, name);
  };
  std::vector<CableList> parts;
  parts.push_back(list("a,1,b,2\n", "first"));
  parts.push_back(list("b,2,a,1\nc,1,d,1\n", "second"));
  const CableList joined = join_cable_lists(std::move(parts));
  CHECK(joined.rows.size() == 2);
  CHECK(joined.files == std::vector<std::string>{"first", "second"});
  CHECK(joined.rows.back().file == 1);
  parts.clear();
  parts.push_back(list("a,1,b,2\n", "first"));
  parts.push_back(list("a,1,c,2\n", "second"));
  CHECK_THROWS_WITH(join_cable_lists(std::move(parts)),
                    StartsWith("second:2: ") && Contains("in first:2"));
}

TEST_CASE("cabling lists are recognized by their content") {
  CHECK(content_kind(header) == ContentKind::cable_list);
  CHECK(content_kind("#Fields:StartDevice,x\n") == ContentKind::cable_list);
  CHECK(content_kind("x,\"enddevice\"\r\n") == ContentKind::cable_list);
  CHECK(content_kind("StartDevice\n") == ContentKind::other);
  CHECK(content_kind("a,b\nStartDevice,EndDevice\n") == ContentKind::other);
  CHECK(content_kind("\"StartDevice,\nEndDevice\"\n") == ContentKind::other);
}

TEST_CASE("the cables of a fabric are written as a cabling list") {
  FabricBuilder builder;
  const NodeId leaf = builder.add_switch(0x10, 9, "", "MF0;Leaf, 1:MQM/U1");
  const NodeId line = builder.add_switch(0x20, 9, "", "MF0;core:CS8/L02/U1");
  const NodeId core = builder.add_switch(0x30, 9, "", "MF0;core:CS8/S01/U1");
  const auto adapter = [&](Guid guid, unsigned ports, const char* name, PortNumber port) {
    const NodeId node = builder.add_adapter(guid, ports, EndPortKind::channel_adapter, "", name);
    builder.connect(leaf, port, node, 1, LinkRate{4, 25'000});
    return node;
  };
  adapter(0x100, 1, "n1 mlx5_0", 1);
  const NodeId two = adapter(0x200, 2, "n2 HCA-1", 2);
  builder.connect(leaf, 3, two, 2, {});
  adapter(0x300, 1, "MT4123 ConnectX6   Mellanox Technologies", 4);
  adapter(0x400, 1, "twin x", 5);
  adapter(0x500, 1, "twin x", 6);
  adapter(0x600, 1, "single", 7);
  builder.connect(leaf, 9, line, 1, {});
  builder.connect(line, 2, core, 1, {});
  const std::string text = to_cable_list(std::move(builder).build());
  CHECK(text ==
        "StartDevice,StartPort,EndDevice,EndPort,Speed,LinkType\r\n"
        "\"Leaf, 1\",Port 1,n1,n1 mlx5_0,100000,Data\r\n"
        "\"Leaf, 1\",Port 2,n2,n2 HCA-1 Port 1,100000,Data\r\n"
        "\"Leaf, 1\",Port 3,n2,n2 HCA-1 Port 2,,Data\r\n"
        "\"Leaf, 1\",Port 4,0x0000000000000300,1,100000,Data\r\n"
        "\"Leaf, 1\",Port 5,0x0000000000000400,1,100000,Data\r\n"
        "\"Leaf, 1\",Port 6,0x0000000000000500,1,100000,Data\r\n"
        "\"Leaf, 1\",Port 7,single,1,100000,Data\r\n"
        "\"Leaf, 1\",Port 9,core,Blade 2_Port 1/1,,Data\r\n");
  CHECK(parse_cable_list(text, "list").rows.size() == 8);
}

}  // namespace
}  // namespace pssp
