#include <fmt/format.h>

#include <array>

#include "fabric/formats/lft_matching.h"
#include "fabric/formats/omnet/omnet_fdbs_file.h"
#include "fabric/formats/omnet/omnet_ned_file.h"
#include "fabric/formats/omnet/omnet_writer.h"
#include "routing/engines/engine.h"
#include "tests/fabric/formats/format_testing.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

using test::error_of;
using test::replaced;
using test::replaced_once;
using test::sample_text;

/// Source: table 3.4 of the thesis. Its available text lacks the last entry of each row, which
/// comes from the script in appendix A.2: all hosts of a switch have the same port at another
/// switch, and ports up to n - 1 at their own switch.
constexpr std::string_view table_3_4 = R"(11: 255 0 1 3 3 3 3 2 2 3 3 3 3 2 2 3 3 3 3
12: 255 2 2 0 1 3 3 2 2 4 4 3 3 2 2 4 4 3 3
13: 255 2 2 2 2 0 1 2 2 2 2 3 3 2 2 2 2 3 3
21: 255 2 2 3 3 3 3 0 1 3 3 3 3 4 4 3 3 3 3
22: 255 2 2 4 4 3 3 2 2 0 1 3 3 2 2 5 5 3 3
23: 255 2 2 2 2 3 3 2 2 2 2 0 1 2 2 2 2 4 4
31: 255 2 2 3 3 3 3 2 2 3 3 3 3 0 1 3 3 3 3
32: 255 2 2 4 4 3 3 2 2 4 4 3 3 2 2 0 1 3 3
33: 255 2 2 2 2 3 3 2 2 2 2 3 3 2 2 2 2 0 1
)";

MatchedTables match(std::string_view ned, std::string_view fdbs) {
  OmnetNetwork network = parse_omnet_ned(ned, "ned");
  const LftFile dump = to_lft_file(network, parse_omnet_fdbs(fdbs, "fdbs"));
  return match_tables(std::move(network.topology), dump);
}

TEST_CASE("dimension order routing of the thesis mesh gives the tables of the thesis") {
  const Fabric mesh = make_fabric("mesh 3x3 --hosts 2 --ports thesis --lids=hosts-first");
  const ForwardingTables tables = make_engine("meshdor", {})->route(mesh).tables;
  CHECK(to_omnet_fdbs(mesh, tables) == table_3_4);
}

/// Follows the route between any two hosts with only the numbers in the files, as the model does.
TEST_CASE("the tables of the thesis deliver every packet in the written network of OMNeT++") {
  const Fabric mesh = make_fabric("mesh 3x3 --hosts 2 --ports thesis");
  const MatchedTables read = match(to_omnet_ned(mesh), table_3_4);
  CHECK(read.warnings.empty());
  const Fabric& fabric = read.fabric;
  CHECK(fabric.switch_count() == 9);
  CHECK(fabric.channel_count() == 24);
  for (const EndPort& from : fabric.end_ports()) {
    for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
      const EndPort& to = fabric.end_port(EndPortId(e));
      SwitchId at = from.attached;
      unsigned hops = 0;
      while (at != to.attached && hops <= 4) {
        const PortTarget target = fabric.behind(at, read.tables.at(at, to.lid));
        REQUIRE(target.kind == PortTarget::Kind::channel);
        at = SwitchId(fabric.channel_head()[target.index]);
        ++hops;
      }
      REQUIRE(at == to.attached);
      CHECK(fabric.behind(at, read.tables.at(at, to.lid)) ==
            PortTarget{PortTarget::Kind::end_port, e});
    }
  }
}

/// A network with the syntax of the script 2DMeshTopo.py in appendix A.1.
constexpr std::string_view thesis_ned = R"(package networks.meshTopo;
import src.HCA;
import src.Switch;
module meshTopo {
	//
	@display("647=298;bgl=3; bgb=643,294,#C0D7E3");
	submodules:
		H111:HCA{
			@display("p=36,100")
			}
		H121:HCA{
			@display("p=36,160")
			}
		SW11: Switch {
			parameters:
				numSwitchPorts = 2;
				@display("p=120,120;i=abstract/switch");
			gates:
				out[2];
				in[2];
			}
		SW12: Switch { parameters: numSwitchPorts = 2; gates: out[2]; in[2]; }
		IDGen: IDGenerator { @display("p=236,30"); gates: gate[2]; }
	connections:
		H111.out --> { delay =5ns ; } --> SW11.in[0];
		SW11.out[0] --> { delay =5ns ; } --> H111.in;
		H111.id --> IDGen.gate[0];
		SW11.out[1] --> { delay=5ns; @display("ls=red,2"); } --> SW12.in[1];
		SW12.out[1] --> { delay=5ns; @display("ls=red,2"); } --> SW11.in[1];
		H121.out --> { delay =5ns ; } --> SW12.in[0];
		SW12.out[0] --> { delay =5ns ; } --> H121.in;
}
network FABRIC extends meshTopo { }
)";

TEST_CASE("a network of OMNeT++ with the syntax of the thesis is read") {
  const MatchedTables read = match(thesis_ned, "11: 255 0 1\n12: 255 1 0\n");
  CHECK(read.warnings.empty());
  CHECK(read.fabric.switch_count() == 2);
  CHECK(read.fabric.channel_count() == 2);
  REQUIRE(read.fabric.end_port_count() == 2);
  CHECK(read.fabric.end_ports()[0].name == "H111");
  CHECK(read.fabric.end_ports()[0].lid == 1);
  CHECK(read.tables.at(SwitchId(0), 2) == 2);
  CHECK(read.tables.at(SwitchId(1), 2) == 1);
}

TEST_CASE("a network of OMNeT++ with the syntax of the examples of the model is read") {
  const std::string ned =
      "network two\n{\n\tsubmodules:\n\t\tH_1_U1: HCA { parameters: srcLid = 2; }\n"
      "\t\tH_2_U1: ib_model.HCA { parameters: srcLid = 1; }\n\t\tSW_L0_U1: Switch {\n"
      "\t\tparameters: numSwitchPorts = 8;\n\t\t\tgates: port[8];\n\t\t}\n\tconnections:\n"
      "\t\tH_1_U1.port <--> IB4XQDRWire <--> SW_L0_U1.port[0];\n"
      "\t\tH_2_U1.port <--> SW_L0_U1.port[7];\n}\n";
  const MatchedTables read = match(ned, "0: 255 7 0\n");
  CHECK(read.fabric.switches()[0].ports == 8);
  CHECK(read.fabric.end_ports()[0].lid == 2);
  CHECK(read.fabric.end_ports()[1].switch_port == 8);
  CHECK(read.tables.at(SwitchId(0), 2) == 1);
  CHECK(read.tables.at(SwitchId(0), 1) == 8);
}

TEST_CASE("tables of OMNeT++ may have any entry for LID 0 and lack the last line end") {
  const std::string ned = sample_text("omnet/small.ned");
  for (const char* const rows :
       {"0: 255 0 1\n", "0: 255 0 1", "0: 648 0 1\n", "0: 0 0 1", "0: 99999 0 1  "}) {
    INFO(rows);
    const MatchedTables read = match(ned, rows);
    CHECK(read.warnings.empty());
    CHECK(read.tables.at(SwitchId(0), 1) == 1);
    CHECK(read.tables.at(SwitchId(0), 2) == 2);
  }
}

/// The names of both ends of each channel, and of each host and its switch, sorted.
std::vector<std::string> links_of(const Fabric& fabric) {
  std::vector<std::string> links;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    links.push_back(fabric.switch_at(SwitchId(fabric.channel_tail()[c])).name + " " +
                    fabric.switch_at(SwitchId(fabric.channel_head()[c])).name);
  }
  for (const EndPort& port : fabric.end_ports()) {
    links.push_back(port.name + " " + fabric.switch_at(port.attached).name);
  }
  std::sort(links.begin(), links.end());
  return links;
}

TEST_CASE("meshes and tori are the same after they are written for OMNeT++ and read again") {
  for (const char* const kind :
       {"mesh 3x3 --hosts 2 --ports thesis", "torus 4x4 --hosts 1 --ports thesis",
        "mesh 3x3x3 --hosts 2 --ports thesis"}) {
    INFO(kind);
    const Fabric fabric = make_fabric(std::string(kind) + " --lids=hosts-first");
    const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
    const MatchedTables back = match(to_omnet_ned(fabric), to_omnet_fdbs(fabric, tables));
    CHECK(back.warnings.empty());
    CHECK(links_of(back.fabric) == links_of(fabric));
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      CHECK(back.fabric.switch_at(SwitchId(s)).name == fabric.switch_at(SwitchId(s)).name);
      CHECK(back.fabric.switch_at(SwitchId(s)).ports == fabric.switch_at(SwitchId(s)).ports);
      for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
        const EndPort& to = fabric.end_port(EndPortId(e));
        CHECK(back.fabric.end_port(EndPortId(e)).lid == to.lid);
        CHECK(back.tables.at(SwitchId(s), to.lid) == tables.at(SwitchId(s), to.lid));
      }
    }
  }
}

TEST_CASE("any fabric is written for OMNeT++ without free ports and with valid names") {
  FabricBuilder builder;
  const NodeId a = builder.add_switch(1, 8, "leaf 1", "");
  const NodeId b = builder.add_switch(2, 8, "SW2", "");
  const NodeId h10 = builder.add_adapter(0x10, 1, EndPortKind::channel_adapter, "node10", "");
  const NodeId h9 = builder.add_adapter(0x20, 1, EndPortKind::channel_adapter, "node9", "");
  const NodeId dead = builder.add_adapter(0x30, 1, EndPortKind::channel_adapter, "node1", "");
  builder.connect(a, 8, b, 3, {});
  builder.connect(a, 4, h10, 1, {});
  builder.connect(b, 6, h9, 1, {});
  builder.set_lid(h10, 1, 5, 0);
  builder.set_lid(h9, 1, 7, 0);
  builder.set_lid(dead, 1, 8, 0);
  const Fabric fabric = std::move(builder).build();
  ForwardingTables tables(2, 8);
  tables.set(SwitchId(0), 5, 4);
  tables.set(SwitchId(0), 7, 8);
  tables.set(SwitchId(1), 5, 3);
  // Hosts are in the order of numbers in names, so node9 has LID 1. SW_leaf_1 is not numbered as
  // the model expects, so rows count from 0.
  CHECK(to_omnet_fdbs(fabric, tables) == "0: 255 255 0\n1: 255 1 0\n");
  const std::string ned = to_omnet_ned(fabric);
  CHECK_THAT(ned, Catch::Contains("H_node9: HCA;\n\t\tH_node10: HCA;\n\t\tSW2: Switch") &&
                      Catch::Contains("SW_leaf_1.out[1] --> { delay = 5ns; } --> SW2.in[0];") &&
                      !Catch::Contains("node1:"));
  const MatchedTables back = match(ned, to_omnet_fdbs(fabric, tables));
  CHECK(back.fabric.end_port_count() == 2);
}

TEST_CASE("each invalid network of OMNeT++ is refused with the reason and the line") {
  const std::string ned(thesis_ned);
  const std::array<std::pair<std::string, std::string>, 10> expected{{
      {"", "it looks like an empty file"},
      {"network x { }", "ned: this is not a network of OMNeT++"},
      {ned.substr(0, ned.find("connections")), "the section connections: is missing"},
      {ned.substr(0, ned.find("network FABRIC") - 2), "the file ends within the connections"},
      {ned.substr(0, ned.find("numSwitch")), "the file ends within a submodule"},
      {replaced_once(ned, "H121:HCA", "H111:HCA"),
       "ned:11: submodule 'H111' is already defined at line 8"},
      {replaced_once(ned, "SW11.in[0]", "SW11.in[2]"), "gate 2 of 'SW11', which has 2 ports"},
      {replaced_once(ned, "SW11.in[0]", "SW99.in[0]"), "'SW99' is not a submodule"},
      {replaced_once(ned, "SW12.in[1]", "SW12.in[0]"), "ned:"},
      {replaced_once(ned, "H121:HCA", "H[4]:HCA"), "vectors of submodules"},
  }};
  for (const auto& [bad, message] : expected) {
    INFO(message);
    CHECK_THAT(error_of([&, &bad = bad] { parse_omnet_ned(bad, "ned"); }),
               Catch::StartsWith("3: ") && Catch::Contains(message));
  }
}

TEST_CASE("each invalid table of OMNeT++ is refused with the reason and the line") {
  const std::array<std::pair<std::string, std::string>, 7> expected{{
      {"", "it looks like an empty file"},
      {"11: 255 0 1\n12: 255 1\n", "fdbs:2: row 12 has 2 entries, the first row 3"},
      {"11: 255 0\n11: 255 1\n", "fdbs:2: row 11 is already at line 1"},
      {"11: 255 254\n", "fdbs:1: port 254 does not exist"},
      {"11: 255 x\n", "it looks like text"},
      {"11: 255 0 x\n", "fdbs:1: 'x' is not a number"},
      {[] {
         std::string row = "1: 255";
         for (unsigned i = 0; i < 49152; ++i) row += " 1";
         return row + "\n";
       }(),
       "beyond the last unicast LID"},
  }};
  for (const auto& [bad, message] : expected) {
    INFO(message);
    CHECK_THAT(error_of([&, &bad = bad] { parse_omnet_fdbs(bad, "fdbs"); }),
               Catch::StartsWith("3: ") && Catch::Contains(message));
  }
  CHECK_THAT(error_of([] { match(thesis_ned, "11: 255 0 1\n13: 255 1 0\n"); }),
             Catch::StartsWith("4: ") &&
                 Catch::Contains("2 rows for 2 switches, 1 switches without a row: SW12"));
  CHECK_THAT(error_of([] { match(thesis_ned, "11: 255 0 1\n12: 255 7 0\n"); }),
             Catch::StartsWith("4: ") && Catch::Contains("sends LID 1 to port 8, but has 2"));
}

TEST_CASE("damaged files of OMNeT++ cause nothing worse than an Error") {
  const std::string ned(thesis_ned), fdbs = "11: 255 0 1\n12: 255 1 0\n";
  std::mt19937 random = test::repeatable_random(8);
  std::size_t refused = 0;
  for (unsigned round = 0; round < 4000; ++round) {
    const bool damages_ned = round % 2 == 0;
    try {
      match(damages_ned ? test::damaged(ned, random) : ned,
            damages_ned ? fdbs : test::damaged(fdbs, random));
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 0);
}

}  // namespace
}  // namespace pssp
