#include <catch2/catch.hpp>

#include "fake_opensm.h"
#include "osm_plugin/subnet_reader.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

constexpr Guid switch_a = 0x20;
constexpr Guid switch_b = 0x10;
constexpr Guid host_a = 0x1000;
constexpr Guid host_b = 0x2000;

/// Two switches with two parallel links, and a host at each.
struct TwoSwitches {
  FakeOpensm opensm;
  osm_node_t& a = opensm.add_switch(switch_a, 8, 1, "a");
  osm_node_t& b = opensm.add_switch(switch_b, 8, 2, "b");
  osm_node_t& x = opensm.add_adapter(host_a, 2, "x");
  osm_node_t& y = opensm.add_adapter(host_b, 1, "y");

  TwoSwitches() {
    opensm.connect(a, 1, b, 2);
    opensm.connect(a, 3, b, 4);
    opensm.connect(a, 5, x, 2);
    opensm.connect(b, 6, y, 1);
    opensm.set_lid(x, 2, 4, 2);
    opensm.set_lid(y, 1, 3);
  }
  Subnet read() { return read_subnet(opensm.subnet()); }
};

}  // namespace

TEST_CASE("a subnet becomes a fabric") {
  TwoSwitches two;
  const Subnet subnet = two.read();
  const Fabric& fabric = subnet.fabric;
  CHECK(fabric.switch_count() == 2);
  CHECK(fabric.channel_count() == 4);
  CHECK(fabric.host_count() == 2);
  CHECK(fabric.max_lid() == 7);
  CHECK(subnet.warnings.empty());

  const SwitchId a = fabric.find_switch(switch_a).value();
  const SwitchId b = fabric.find_switch(switch_b).value();
  CHECK(subnet.switches[a.value()] == two.a.sw);
  CHECK(subnet.switches[b.value()] == two.b.sw);
  CHECK(fabric.switch_at(a).lid == 1);
  CHECK(fabric.switch_at(a).ports == 8);
  CHECK(fabric.switch_at(a).description == "a");

  const PortTarget parallel = fabric.behind(a, 3);
  REQUIRE(parallel.kind == PortTarget::Kind::channel);
  CHECK(fabric.channel_head()[parallel.index] == b.value());
  CHECK(fabric.channel_in_port()[parallel.index] == 4);
  CHECK(to_string(fabric.channel_rate()[parallel.index]) == "4xQDR");

  const EndPort& x = fabric.end_port(fabric.find_end_port(host_a + 2).value());
  CHECK(x.attached == a);
  CHECK(x.switch_port == 5);
  CHECK(x.port == 2);
  CHECK(x.lid == 4);
  CHECK(x.lmc == 2);
  CHECK(fabric.delivery(7).at == a);
  CHECK(fabric.delivery(7).port == 5);
  // The first port of that host is not in the subnet: it has no LID, and OpenSM is not at fault.
  CHECK(fabric.end_port(fabric.find_end_port(host_a + 1).value()).lid == no_lid);
}

TEST_CASE("an empty subnet is an empty fabric") {
  FakeOpensm opensm;
  const Subnet subnet = read_subnet(opensm.subnet());
  CHECK(subnet.fabric.switch_count() == 0);
  CHECK(subnet.warnings.empty());
}

TEST_CASE("a link that is unhealthy at either end is left out") {
  TwoSwitches two;
  FakeOpensm::port(two.a, 1).healthy = 0;
  FakeOpensm::port(two.b, 4).healthy = 0;
  FakeOpensm::port(two.y, 1).healthy = 0;
  const Fabric fabric = two.read().fabric;
  CHECK(fabric.channel_count() == 0);
  CHECK_FALSE(fabric.end_port(fabric.find_end_port(host_b + 1).value()).attached.valid());
  CHECK(fabric.end_port(fabric.find_end_port(host_a + 2).value()).attached.valid());
}

TEST_CASE("a link that only one end states is left out") {
  TwoSwitches two;
  FakeOpensm::port(two.b, 2).p_remote_physp = nullptr;
  CHECK(two.read().fabric.channel_count() == 2);
  // The same end of two links: OpenSM has moved the cable at one side and not yet at the other.
  FakeOpensm::port(two.a, 1).p_remote_physp = &FakeOpensm::port(two.b, 4);
  CHECK(two.read().fabric.channel_count() == 2);
}

TEST_CASE("a switch that cannot be programmed is left out, with its links") {
  TwoSwitches two;
  two.b.sw = nullptr;
  const Subnet subnet = two.read();
  CHECK(subnet.fabric.switch_count() == 1);
  CHECK(subnet.fabric.channel_count() == 0);
  CHECK_FALSE(
      subnet.fabric.end_port(subnet.fabric.find_end_port(host_b + 1).value()).attached.valid());
  REQUIRE(subnet.warnings.size() == 1);
  CHECK_THAT(subnet.warnings[0], Contains("0x0000000000000010 (b)") && Contains("SwitchInfo"));
}

TEST_CASE("a cable from a switch to itself is no channel") {
  TwoSwitches two;
  two.opensm.connect(two.a, 7, two.a, 8);
  CHECK(two.read().fabric.channel_count() == 4);
}

TEST_CASE("a port without an acknowledged LID is left without") {
  TwoSwitches two;
  FakeOpensm::port(two.y, 1).port_info.base_lid = 0;
  const Subnet subnet = two.read();
  CHECK(subnet.fabric.delivery(3).at.valid() == false);
  CHECK(subnet.fabric.end_port(subnet.fabric.find_end_port(host_b + 1).value()).lid == no_lid);
}

TEST_CASE("a port that still reports a LID of another port does not get it") {
  TwoSwitches two;
  FakeOpensm::port(two.y, 1).port_info.base_lid = cl_hton16(5);
  const Subnet subnet = two.read();
  CHECK(subnet.fabric.owner(5).kind == LidOwner::Kind::end_port);
  CHECK(subnet.fabric.end_port(EndPortId(subnet.fabric.owner(5).index)).port_guid == host_a + 2);
  REQUIRE(subnet.warnings.size() == 1);
  CHECK_THAT(subnet.warnings[0], Contains("(y)") && Contains("LID 5"));

  FakeOpensm::port(two.y, 1).port_info.base_lid = cl_hton16(0xBFFF);
  CHECK(two.read().warnings.size() == 1);
  FakeOpensm::port(two.y, 1).port_info.base_lid = cl_hton16(0xFFFF);
  CHECK(two.read().warnings.size() == 1);
}

TEST_CASE("routers and aggregation nodes are known as such") {
  TwoSwitches two;
  osm_node_t& router = two.opensm.add_adapter(0x3000, 1, "r", IB_NODE_TYPE_ROUTER);
  osm_node_t& sharp = two.opensm.add_adapter(0x4000, 1, "Mellanox Technologies Aggregation Node");
  two.opensm.connect(two.a, 7, router, 1);
  two.opensm.connect(two.b, 8, sharp, 1);
  two.opensm.set_lid(router, 1, 8);
  two.opensm.set_lid(sharp, 1, 9);
  const Fabric fabric = two.read().fabric;
  CHECK(fabric.end_port(fabric.find_end_port(0x3001).value()).kind == EndPortKind::router);
  const EndPortId node = fabric.find_end_port(0x4001).value();
  CHECK(fabric.end_port(node).kind == EndPortKind::aggregation_node);
  CHECK_FALSE(fabric.is_endpoint(node));
}

TEST_CASE("nodes with an impossible number of ports are left out") {
  FakeOpensm opensm;
  opensm.add_switch(1, 0, 1, "none");
  const Subnet subnet = read_subnet(opensm.subnet());
  CHECK(subnet.fabric.switch_count() == 0);
  REQUIRE(subnet.warnings.size() == 1);
  CHECK_THAT(subnet.warnings[0], Contains("(none)") && Contains("0 ports"));
}
