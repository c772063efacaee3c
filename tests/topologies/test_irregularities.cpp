// Hosts that are servers, and hosts that are not there.

#include <catch2/catch.hpp>
#include <string>

#include "tests/topologies/fabric_graph.h"
#include "topologies/registry.h"

using namespace pssp;
using namespace pssp::test;

TEST_CASE("the last hosts of each switch are servers, numbered apart") {
  const Fabric plain = make_fabric("xgft 6,3 1,2");
  const Fabric fabric = make_fabric("xgft 6,3 1,2 --servers 2");
  std::string servers;
  for (std::uint32_t e = 0; e < plain.end_port_count(); ++e) {
    const EndPort& before = plain.end_port(EndPortId(e));
    const EndPort& now = fabric.end_port(EndPortId(e));
    CHECK(now.port_guid == before.port_guid);
    CHECK(now.attached == before.attached);
    CHECK(now.switch_port == before.switch_port);
    if (before.switch_port < 5) {
      CHECK(now.name == before.name);
      CHECK(now.description == before.description);
    } else {
      CHECK(now.description == now.name);
      servers += now.name + ' ';
    }
  }
  CHECK(servers == "io00001 io00002 io00003 io00004 io00005 io00006 ");
  CHECK(hosts_called(make_fabric("xgft 6,3 1,2 --servers 9"), "io") == 18);
}

TEST_CASE("absent hosts are gone and nothing else is") {
  const Fabric plain = make_fabric("chic");
  const std::string spec = "chic --absent-hosts 100 --seed ";
  const Fabric fabric = make_fabric(spec + "3");
  CHECK(fabric.host_count() == 428);
  CHECK(fabric.end_port_count() == 428);
  CHECK(link_count(fabric) == link_count(plain));
  CHECK(hosts_per_switch(fabric).size() > 4);
  for (const EndPort& e : fabric.end_ports()) {
    const auto before = plain.find_end_port(e.port_guid);
    REQUIRE(before.has_value());
    CHECK(plain.end_port(*before).name == e.name);
    CHECK(plain.end_port(*before).switch_port == e.switch_port);
  }
  CHECK(fingerprint(fabric) == fingerprint(make_fabric(spec + "3")));
  CHECK(fingerprint(fabric) != fingerprint(make_fabric(spec + "4")));
}

TEST_CASE("absent hosts and servers leave damage as it was") {
  const Fabric damaged = make_fabric("chic --kill-links 20 --seed 2");
  const Fabric both = make_fabric("chic --kill-links 20 --servers 1 --absent-hosts 40 --seed 2");
  REQUIRE(both.channel_count() == damaged.channel_count());
  for (std::uint32_t c = 0; c < damaged.channel_count(); ++c)
    CHECK(both.channel_label(ChannelId(c)) == damaged.channel_label(ChannelId(c)));
}
