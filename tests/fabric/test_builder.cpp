#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "fabric/builder.h"

using namespace pssp;

namespace {

constexpr LinkRate qdr{4, 8000};
constexpr LinkRate ddr{4, 4000};

NodeId add_host(FabricBuilder& builder, Guid guid, unsigned ports = 1) {
  return builder.add_adapter(guid, ports, EndPortKind::channel_adapter, "", "");
}

template <class F>
std::string refusal(F&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

/// Two switches, added in descending order of GUID, with two parallel links and one host each.
FabricBuilder two_switches() {
  FabricBuilder builder;
  const NodeId far = builder.add_switch(0x20, 8, "far", "the far one");
  const NodeId near = builder.add_switch(0x10, 4, "near", "near");
  const NodeId host_far = add_host(builder, 0x200);
  const NodeId host_near = add_host(builder, 0x100);
  builder.connect(far, 8, near, 1, qdr);
  builder.connect(near, 2, far, 3, ddr);
  builder.connect(far, 1, host_far, 1, qdr);
  builder.connect(host_near, 1, near, 4, qdr);
  return builder;
}

}  // namespace

TEST_CASE("a fabric is numbered by GUID, regardless of the order of addition", "[fabric]") {
  FabricBuilder builder = two_switches();
  const Fabric fabric = std::move(builder).build();
  REQUIRE(fabric.switch_count() == 2);
  REQUIRE(fabric.end_port_count() == 2);
  REQUIRE(fabric.channel_count() == 4);
  CHECK(fabric.switch_at(SwitchId(0)).guid == 0x10);
  CHECK(fabric.switch_at(SwitchId(1)).guid == 0x20);
  CHECK(fabric.end_port(EndPortId(0)).node_guid == 0x100);
  CHECK(fabric.end_port(EndPortId(0)).port_guid == 0x101);
  CHECK(fabric.end_port(EndPortId(0)).name == "H-0000000000000100");
  CHECK(fabric.end_port(EndPortId(0)).attached == SwitchId(0));
  CHECK(fabric.end_port(EndPortId(0)).switch_port == 4);
  CHECK(fabric.label(SwitchId(0)) == "near");
  CHECK(fabric.label(SwitchId(1)) == "far (the far one)");
  CHECK(fabric.find_switch(0x20) == SwitchId(1));
  CHECK(fabric.find_end_port(0x201) == EndPortId(1));
  CHECK_FALSE(fabric.find_switch(0x30).has_value());
}

TEST_CASE("channels are grouped by switch and ordered by port", "[fabric]") {
  FabricBuilder builder = two_switches();
  const Fabric fabric = std::move(builder).build();
  CHECK(std::vector(fabric.first_channel().begin(), fabric.first_channel().end()) ==
        std::vector<std::uint32_t>{0, 2, 4});
  CHECK(std::vector(fabric.channel_out_port().begin(), fabric.channel_out_port().end()) ==
        std::vector<PortNumber>{1, 2, 3, 8});
  CHECK(std::vector(fabric.channel_in_port().begin(), fabric.channel_in_port().end()) ==
        std::vector<PortNumber>{8, 3, 2, 1});
  for (std::uint32_t c = 0; c < 4; ++c) {
    const std::uint32_t reverse = fabric.channel_reverse()[c];
    CHECK(fabric.channel_reverse()[reverse] == c);
    CHECK(fabric.channel_head()[c] == fabric.channel_tail()[reverse]);
  }
  CHECK(fabric.channel_label(ChannelId(0)) == "near[1] -> far (the far one)[8]");
  CHECK(fabric.behind(SwitchId(0), 0).kind == PortTarget::Kind::management);
  CHECK(fabric.behind(SwitchId(0), 2) == PortTarget{PortTarget::Kind::channel, 1});
  CHECK(fabric.behind(SwitchId(0), 4) == PortTarget{PortTarget::Kind::end_port, 0});
  CHECK(fabric.behind(SwitchId(0), 3).kind == PortTarget::Kind::none);
  CHECK(fabric.behind(SwitchId(0), 5).kind == PortTarget::Kind::none);
  CHECK(fabric.behind(SwitchId(0), no_port).kind == PortTarget::Kind::none);
}

TEST_CASE("channel costs are relative to the most frequent capacity of end ports", "[fabric]") {
  FabricBuilder builder = two_switches();
  const Fabric fabric = std::move(builder).build();
  CHECK(fabric.reference_capacity() == 32000);
  CHECK(fabric.channel_cost()[0] == 1.0);  // port 1 of near: QDR
  CHECK(fabric.channel_cost()[1] == 2.0);  // port 2: DDR
  CHECK(fabric.end_port_cost(EndPortId(0)) == 1.0);
}

TEST_CASE("links with unknown rate have the reference capacity", "[fabric]") {
  FabricBuilder builder;
  const NodeId a = builder.add_switch(1, 4, "a", "");
  const NodeId b = builder.add_switch(2, 4, "b", "");
  builder.connect(a, 1, b, 1, {});
  const Fabric fabric = std::move(builder).build();
  CHECK(fabric.reference_capacity() == 0);
  CHECK(fabric.channel_cost()[0] == 1.0);
}

TEST_CASE("aggregation nodes are endpoints only on request", "[fabric]") {
  const auto build = [](bool wanted) {
    FabricBuilder builder;
    const NodeId s = builder.add_switch(1, 4, "s", "");
    const NodeId sharp =
        builder.add_adapter(0x300, 1, EndPortKind::aggregation_node, "", "Aggregation Node");
    const NodeId host = add_host(builder, 0x100);
    const NodeId dead = add_host(builder, 0x200);
    builder.connect(s, 1, sharp, 1, qdr);
    builder.connect(s, 2, host, 1, qdr);
    static_cast<void>(dead);
    return std::move(builder).build({.roles = {.aggregation_nodes = wanted}});
  };
  const Fabric without = build(false);
  CHECK(without.endpoints().size() == 1);
  CHECK(without.end_port_count() == 3);
  CHECK(without.host_count() == 3);
  CHECK(without.end_ports_of(SwitchId(0)).size() == 2);
  CHECK(without.endpoints_per_switch()[0] == 1);
  CHECK_FALSE(without.is_endpoint(EndPortId(1)));
  CHECK(build(true).endpoints().size() == 2);
}

TEST_CASE("routers are endpoints only on request, independently of aggregation nodes", "[fabric]") {
  const auto build = [](EndpointRoles roles) {
    FabricBuilder builder;
    const NodeId s = builder.add_switch(1, 8, "s", "");
    const NodeId sharp =
        builder.add_adapter(0x300, 1, EndPortKind::aggregation_node, "", "Aggregation Node");
    // The description of a router does not matter.
    const NodeId router = builder.add_adapter(0x400, 2, EndPortKind::router, "", "node7 mlx5_0");
    builder.connect(s, 1, sharp, 1, qdr);
    builder.connect(s, 2, router, 1, qdr);
    builder.connect(s, 3, router, 2, qdr);
    builder.connect(s, 4, add_host(builder, 0x100), 1, qdr);
    builder.assign_lids();
    return std::move(builder).build({.roles = roles});
  };
  const Fabric without = build({});
  CHECK(without.endpoints().size() == 1);
  CHECK(without.end_ports_of(SwitchId(0)).size() == 4);
  CHECK(without.senders_per_switch()[0] == 4);
  CHECK(without.lids().size() == 5);
  CHECK(without.endpoints_without_lid() == 0);
  CHECK(build({.routers = true}).endpoints().size() == 3);
  CHECK(build({.aggregation_nodes = true}).endpoints().size() == 2);
  for (const bool sharp : {false, true}) {
    for (const bool routers : {false, true}) {
      const EndpointRoles found = endpoint_roles(build({sharp, routers}));
      CHECK(found.aggregation_nodes == sharp);
      CHECK(found.routers == routers);
    }
  }
}

TEST_CASE("hosts determine the reference capacity, regardless of the number of routers",
          "[fabric]") {
  const LinkRate slow{1, qdr.megabits_per_lane};
  for (const bool with_host : {false, true}) {
    FabricBuilder builder;
    const NodeId s = builder.add_switch(1, 8, "s", "");
    for (unsigned i = 0; i < 3; ++i) {
      const NodeId router = builder.add_adapter(0x400 + 16 * i, 1, EndPortKind::router, "", "");
      builder.connect(s, static_cast<PortNumber>(i + 1), router, 1, slow);
    }
    if (with_host) builder.connect(s, 8, add_host(builder, 0x100), 1, qdr);
    const LinkRate usual = with_host ? qdr : slow;
    CHECK(builder.most_frequent_host_rate() == usual);
    CHECK(std::move(builder).build().reference_capacity() == usual.capacity());
  }
}

TEST_CASE("leading and trailing blanks are removed from descriptions", "[fabric]") {
  FabricBuilder builder;
  const NodeId s = builder.add_switch(1, 4, "s", " leaf 1\t");
  const NodeId host =
      builder.add_adapter(0x100, 1, EndPortKind::channel_adapter, "h", "  node1 mlx5_0  ");
  const NodeId blank = builder.add_adapter(0x200, 1, EndPortKind::channel_adapter, "b", " \t ");
  CHECK(builder.description(s) == "leaf 1");
  CHECK(builder.description(host) == "node1 mlx5_0");
  CHECK(builder.description(blank).empty());
}

TEST_CASE("a port without a LID is not an endpoint if other ports have LIDs", "[fabric]") {
  const auto build = [](bool with_lids) {
    FabricBuilder builder;
    const NodeId s = builder.add_switch(1, 4, "s", "");
    for (unsigned i = 0; i < 3; ++i) {
      const NodeId host = add_host(builder, 0x100 * (i + 1));
      builder.connect(s, static_cast<PortNumber>(i + 1), host, 1, qdr);
      if (with_lids && i != 1) builder.set_lid(host, 1, i + 1, 0);
    }
    return std::move(builder).build();
  };
  const Fabric some = build(true);
  CHECK(std::vector(some.endpoints().begin(), some.endpoints().end()) ==
        std::vector{EndPortId(0), EndPortId(2)});
  CHECK_FALSE(some.is_endpoint(EndPortId(1)));
  CHECK(some.endpoints_without_lid() == 1);
  CHECK(some.endpoints_per_switch()[0] == 2);
  CHECK(some.senders_per_switch()[0] == 2);
  CHECK(some.end_ports_of(SwitchId(0)).size() == 3);
  // If no port has a LID yet, all ports are endpoints.
  const Fabric none = build(false);
  CHECK(none.endpoints().size() == 3);
  CHECK(none.endpoints_without_lid() == 0);
  CHECK(none.senders_per_switch()[0] == 3);
}

TEST_CASE("owners and deliveries of LIDs include all 2^LMC LIDs of a port", "[fabric]") {
  FabricBuilder builder = two_switches();
  builder.set_lid(NodeId(0), 0, 7, 0);
  builder.set_lid(NodeId(3), 1, 8, 2);
  const Fabric fabric = std::move(builder).build();
  CHECK(fabric.max_lid() == 11);
  CHECK(std::vector(fabric.lids().begin(), fabric.lids().end()) ==
        std::vector<Lid>{7, 8, 9, 10, 11});
  CHECK(fabric.owner(7).kind == LidOwner::Kind::switch_port0);
  CHECK(fabric.owner(7).index == 1);
  CHECK(fabric.owner(10).kind == LidOwner::Kind::end_port);
  CHECK(fabric.owner(10).index == 0);
  CHECK(fabric.owner(6).kind == LidOwner::Kind::none);
  CHECK(fabric.owner(12).kind == LidOwner::Kind::none);
  CHECK(fabric.delivery(7).at == SwitchId(1));
  CHECK(fabric.delivery(7).port == management_port);
  CHECK(fabric.delivery(11).at == SwitchId(0));
  CHECK(fabric.delivery(11).port == 4);
  CHECK_FALSE(fabric.delivery(3).at.valid());
  CHECK(fabric.is_endpoint_lid(9));
  CHECK_FALSE(fabric.is_endpoint_lid(7));
}

TEST_CASE("LIDs are assigned as by OpenSM in a new subnet", "[fabric]") {
  FabricBuilder builder = two_switches();
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  // The first added adapter runs the subnet manager and gets LID 1. The other ports follow in the
  // order of byte-reversed GUIDs: 0x101 (lowest byte 0x01), 0x10, 0x20.
  CHECK(fabric.end_port(*fabric.find_end_port(0x201)).lid == 1);
  CHECK(fabric.end_port(*fabric.find_end_port(0x101)).lid == 2);
  CHECK(fabric.switch_at(*fabric.find_switch(0x10)).lid == 3);
  CHECK(fabric.switch_at(*fabric.find_switch(0x20)).lid == 4);
}

TEST_CASE("LIDs of a port are aligned to its LMC", "[fabric]") {
  FabricBuilder builder = two_switches();
  builder.assign_lids(2);
  const Fabric fabric = std::move(builder).build();
  CHECK(fabric.end_port(*fabric.find_end_port(0x201)).lid == 4);
  CHECK(fabric.end_port(*fabric.find_end_port(0x101)).lid == 8);
  CHECK(fabric.switch_at(*fabric.find_switch(0x10)).lid == 12);
  CHECK(fabric.max_lid() == 13);
}

TEST_CASE("islands that the subnet manager does not reach get the last LIDs", "[fabric]") {
  FabricBuilder builder;
  const NodeId lonely = builder.add_switch(0x01, 4, "lonely", "");
  const NodeId s = builder.add_switch(0x02, 4, "s", "");
  const NodeId host = add_host(builder, 0x100);
  builder.connect(s, 1, host, 1, qdr);
  builder.assign_lids();
  static_cast<void>(lonely);
  const Fabric fabric = std::move(builder).build();
  CHECK(fabric.switch_at(SwitchId(1)).lid == 2);
  CHECK(fabric.switch_at(SwitchId(0)).lid == 3);
}

TEST_CASE("loop cables and cables between two hosts are recorded but are not channels",
          "[fabric]") {
  FabricBuilder builder;
  const NodeId s = builder.add_switch(1, 8, "s", "");
  const NodeId a = add_host(builder, 0x100);
  const NodeId b = add_host(builder, 0x200);
  builder.connect(s, 1, s, 2, qdr);
  builder.connect(s, 3, s, 3, qdr);
  builder.connect(a, 1, b, 1, qdr);
  const Fabric fabric = std::move(builder).build();
  CHECK(fabric.channel_count() == 0);
  CHECK(fabric.behind(SwitchId(0), 1).kind == PortTarget::Kind::none);
  CHECK(fabric.behind(SwitchId(0), 3).kind == PortTarget::Kind::none);
  CHECK_FALSE(fabric.end_port(EndPortId(0)).attached.valid());
  CHECK(fabric.endpoints().empty());
  REQUIRE(fabric.loop_cables().size() == 2);
  CHECK(fabric.loop_cables()[0].a == 1);
  CHECK(fabric.loop_cables()[0].b == 2);
  CHECK(fabric.loop_cables()[1].a == fabric.loop_cables()[1].b);
  CHECK(fabric.loop_cables()[0].rate == qdr);
  REQUIRE(fabric.back_to_back_cables().size() == 1);
  CHECK(fabric.back_to_back_cables()[0].a == EndPortId(0));
  CHECK(fabric.back_to_back_cables()[0].b == EndPortId(1));
}

TEST_CASE("LIDs can be cleared and set again", "[fabric]") {
  FabricBuilder builder;
  const NodeId s = builder.add_switch(1, 8, "s", "");
  builder.set_lid(s, 0, 5, 0);
  builder.clear_lids();
  CHECK_FALSE(builder.has_lids());
  CHECK(builder.lid(s, 0) == no_lid);
  builder.set_lid(s, 0, 8, 2);
  CHECK(builder.lmc(s, 0) == 2);
}

TEST_CASE("a cable may be added from both ends, and the higher rate is kept", "[fabric]") {
  FabricBuilder builder;
  const NodeId s = builder.add_switch(1, 8, "s", "");
  const NodeId a = add_host(builder, 0x100);
  builder.connect(s, 1, a, 1, qdr);
  builder.connect(a, 1, s, 1, {});
  builder.connect(a, 1, s, 1, ddr);
  const Fabric fabric = std::move(builder).build();
  CHECK(fabric.end_port(EndPortId(0)).rate == qdr);
}

TEST_CASE("an explicit port GUID takes precedence over the default one of an unused port",
          "[fabric]") {
  FabricBuilder builder;
  const NodeId s = builder.add_switch(1, 8, "s", "");
  const NodeId idle = add_host(builder, 0x100, 2);  // its port 2 has GUID 0x102 by default
  const NodeId live = add_host(builder, 0x200);
  builder.set_port_guid(live, 1, 0x102);
  builder.connect(s, 1, live, 1, qdr);
  static_cast<void>(idle);
  const Fabric fabric = std::move(builder).build();
  CHECK(fabric.end_port(*fabric.find_end_port(0x102)).node_guid == 0x200);
  CHECK(fabric.end_port(*fabric.find_end_port(0x101)).node_guid == 0x100);
}

TEST_CASE("FabricBuilder refuses invalid GUIDs, ports, cables and LIDs", "[fabric]") {
  FabricBuilder builder;
  const NodeId s = builder.add_switch(1, 8, "s", "");
  const NodeId t = builder.add_switch(2, 8, "t", "");
  const NodeId a = add_host(builder, 0x100);
  CHECK_THAT(refusal([&] { builder.add_switch(1, 8, "again", ""); }),
             Catch::Contains("GUID 0x0000000000000001"));
  CHECK_THAT(refusal([&] { builder.add_switch(0, 8, "zero", ""); }), Catch::Contains("GUID 0"));
  CHECK_THAT(refusal([&] { builder.add_switch(9, 255, "wide", ""); }),
             Catch::Contains("255 ports"));
  CHECK_THAT(refusal([&] { add_host(builder, 0x900, 0); }), Catch::Contains("0 ports"));
  CHECK_THAT(refusal([&] { builder.connect(s, 9, t, 1, qdr); }), Catch::Contains("port 9 of 's'"));
  CHECK_THAT(refusal([&] { builder.connect(s, 0, t, 1, qdr); }),
             Catch::Contains("port 0 cannot have a cable"));
  builder.connect(s, 1, t, 1, qdr);
  CHECK_THAT(refusal([&] { builder.connect(s, 1, t, 2, qdr); }),
             Catch::Contains("cannot be cabled"));
  CHECK_THAT(refusal([&] { builder.connect(a, 1, t, 1, qdr); }),
             Catch::Contains("cannot be cabled"));
  CHECK_THAT(refusal([&] { builder.set_lid(s, 1, 5, 0); }), Catch::Contains("cannot have a LID"));
  CHECK_THAT(refusal([&] { builder.set_lid(a, 0, 5, 0); }), Catch::Contains("cannot have a LID"));
  CHECK_THAT(refusal([&] { builder.set_lid(s, 0, 0, 0); }),
             Catch::Contains("outside the unicast range"));
  CHECK_THAT(refusal([&] { builder.set_lid(s, 0, 0xC000, 0); }),
             Catch::Contains("outside the unicast range"));
  CHECK_THAT(refusal([&] { builder.set_lid(a, 1, 5, 1); }), Catch::Contains("not a multiple"));
  CHECK_THAT(refusal([&] { builder.set_lid(a, 1, 8, 8); }), Catch::Contains("LMC 8"));
  builder.set_lid(s, 0, 5, 0);
  CHECK_THAT(refusal([&] { builder.set_lid(t, 0, 5, 0); }),
             Catch::Contains("already belongs to 's'"));
  CHECK_THAT(refusal([&] { builder.set_lid(s, 0, 6, 0); }), Catch::Contains("already"));
}

TEST_CASE("assign_lids refuses a fabric that needs too many LIDs", "[fabric]") {
  FabricBuilder builder;
  constexpr unsigned hosts = 400;
  for (unsigned k = 0; k < 2; ++k) {
    const NodeId s = builder.add_switch(0x10 + k, 254, "", "");
    for (unsigned h = 0; h < hosts / 2; ++h) {
      const NodeId host = add_host(builder, 0x10000 + 0x100 * (hosts * k + h));
      builder.connect(s, static_cast<PortNumber>(h + 1), host, 1, qdr);
    }
  }
  CHECK_THAT(refusal([&] { builder.assign_lids(7); }),
             Catch::Contains("need more than the 49151 LIDs"));
}

TEST_CASE("an empty fabric can be built", "[fabric]") {
  const Fabric fabric = FabricBuilder().build();
  CHECK(fabric.switch_count() == 0);
  CHECK(fabric.channel_count() == 0);
  CHECK_FALSE(fabric.has_lids());
  CHECK(fabric.first_channel().size() == 1);
}
