#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "fabric/fabric_digest.h"
#include "fabric/formats/node_types_file.h"
#include "tests/fabric/formats/format_testing.h"

using namespace pssp;
using Catch::Contains;

namespace {

/// Five adapters on one switch: oss1 to oss3, "n1 mlx5_0" and "n1 mlx5_1". The node GUIDs are
/// 0x1000, 0x1010, .. 0x1040, and each port GUID is the node GUID + 1.
FabricBuilder five_adapters() {
  FabricBuilder builder;
  const NodeId here = builder.add_switch(0x200, 40, "S1", "");
  Guid guid = 0x1000;
  for (const char* name : {"oss1", "oss2", "oss3", "n1 mlx5_0", "n1 mlx5_1"}) {
    const NodeId host = builder.add_adapter(guid, 1, EndPortKind::channel_adapter, "", name);
    builder.connect(here, static_cast<PortNumber>((guid >> 4U) % 16 + 1), host, 1, LinkRate{});
    guid += 0x10;
  }
  builder.assign_lids();
  return builder;
}

/// The node types of these five adapters in this order.
std::vector<std::string> types_of(const std::string& text) {
  FabricBuilder builder = five_adapters();
  apply_node_types(parse_node_types(text, "node_types"), UnknownHosts::counted, builder);
  const Fabric fabric = std::move(builder).build();
  std::vector<std::string> node_types;
  for (const EndPort& port : fabric.end_ports()) node_types.push_back(port.configured_type);
  return node_types;
}
using Types = std::vector<std::string>;

std::vector<std::string> names_of(const std::string& text) {
  std::vector<std::string> names;
  for (const HostOfType& each : parse_node_types(text, "node_types")) names.push_back(each.host);
  return names;
}
using Names = std::vector<std::string>;

std::string refusal_of_types(const std::string& text,
                             UnknownHosts unknown = UnknownHosts::refused) {
  return test::error_of([&] {
    FabricBuilder builder = five_adapters();
    apply_node_types(parse_node_types(text, "node_types"), unknown, builder);
  });
}

}  // namespace

TEST_CASE("node types are assigned by host name, its first word, or GUID of node or port") {
  CHECK(types_of("# why\r\n\nio oss1 n1 # both adapters\r\nlogin 0x1011\n\tmds 0x1020") ==
        Types{"io", "login", "mds", "io", "io"});
  CHECK(types_of("io oss1 oss1\nio oss1\n") == Types{"io", "", "", "", ""});
  CHECK(types_of("") == Types{"", "", "", "", ""});
}

TEST_CASE("a node types file may contain ranges of host names") {
  CHECK(names_of("io oss[1-3]") == Names{"oss1", "oss2", "oss3"});
  CHECK(names_of("io n[08-11]-ib[0,2]") == Names{"n08-ib0", "n08-ib2", "n09-ib0", "n09-ib2",
                                                 "n10-ib0", "n10-ib2", "n11-ib0", "n11-ib2"});
  CHECK(names_of("io n[1,3-4]") == Names{"n1", "n3", "n4"});
  CHECK(types_of("io oss[2-3]") == Types{"", "io", "io", "", ""});
}

TEST_CASE("each invalid line of a node types file is refused with its number") {
  CHECK_THAT(refusal_of_types("io oss1\nlogin\n"),
             Contains("node_types:2: node type 'login' has no hosts"));
  for (const char* word : {"n[", "n]", "n[]", "n[2-1]", "n[1-", "n[1-2", "n[a]", "n[1,]", "n[,1]",
                           "n[1-99999999999999999999]", "n[0000000001]"}) {
    INFO(word);
    CHECK_THAT(refusal_of_types(std::string("io ") + word),
               Contains("node_types:1: ") && Contains("is not a range"));
  }
  CHECK_THAT(refusal_of_types("io n[1-2][1-2][1-2][1-2][1-2]"), Contains("more than 4 ranges"));
  CHECK_THAT(refusal_of_types("io n[1-1000][1-1000]"),
             Contains("node_types:1: there are more than 100000"));
  CHECK_THAT(refusal_of_types("io " + std::string(300, 'n')), Contains("more than 256 bytes"));
  CHECK_THAT(refusal_of_types("io 0x10g0"), Contains("node_types:1: '0x10g0' is not a GUID"));
  CHECK_THAT(refusal_of_types("io 0x0"), Contains("is not a GUID"));
}

TEST_CASE("hosts with two node types are refused, and unknown hosts are refused or counted") {
  CHECK_THAT(refusal_of_types("io oss1\nio oss4\n"),
             Contains("node_types:2: the fabric has no host 'oss4'"));
  CHECK_THAT(refusal_of_types("io 0x200\n"),
             Contains("node_types:1: the fabric has no host 0x"));  // a switch
  CHECK_THAT(refusal_of_types("io oss1\n\nmds 0x1000\n"),
             Contains("node_types:3: ") &&
                 Contains("of node type 'mds' here and of node type 'io' in node_types:1"));
  CHECK_THAT(refusal_of_types("io n1\nmds n1\n", UnknownHosts::counted),
             Contains("node_types:2: "));

  // On a running fabric, hosts may be down and are only counted. A refused file changes nothing.
  FabricBuilder builder = five_adapters();
  const auto apply = [&](const char* text) {
    return apply_node_types(parse_node_types(text, "node_types"), UnknownHosts::counted, builder);
  };
  CHECK_THAT(test::error_of([&] { apply("io oss1 oss2\nmds oss2\n"); }), Contains("node_types:2"));
  const NodeTypesEffect effect = apply("mds oss[1-9]\nlogin n1\n");
  CHECK(effect.hosts == 5);
  CHECK(effect.node_types == 2);
  CHECK(effect.unknown == 6);
  CHECK(to_string(effect) == "5 hosts of 2 node types; 6 hosts are not in the fabric");
}

TEST_CASE("GUID files of OpenSM are read as node types") {
  const auto hosts = parse_guids_of_type(
      "# compute nodes\n0x1001 node one\n\n  4113 # decimal\n0x1021#x\r\n", "cn", "compute");
  REQUIRE(hosts.size() == 3);
  CHECK(hosts[0].guid == 0x1001);
  CHECK(hosts[1].guid == 0x1011);
  CHECK(hosts[2].guid == 0x1021);
  CHECK(hosts[2].type == "compute");
  CHECK(hosts[2].line == 5);
  CHECK_THAT(test::error_of([] { parse_guids_of_type("0x1\nnode1\n", "cn", "compute"); }),
             Contains("cn:2: 'node1' is not a GUID"));
}

TEST_CASE("node types change the digest of a fabric") {
  FabricBuilder with = five_adapters();
  apply_node_types(parse_node_types("io oss1", "node_types"), UnknownHosts::refused, with);
  CHECK(digest_of(std::move(with).build()) != digest_of(five_adapters().build()));
}
