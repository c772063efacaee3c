// Irregularities: servers among the hosts, absent hosts, hosts at upper switches, uneven leaves,
// and leaves of another link rate.

#include <catch2/catch.hpp>
#include <string>

#include "tests/topologies/fabric_graph.h"
#include "topologies/registry.h"

using namespace pssp;
using namespace pssp::test;

TEST_CASE("the last hosts of each switch become servers with their own numbering") {
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

TEST_CASE("absent hosts are missing, and everything else is unchanged") {
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

TEST_CASE("upper hosts move to switches that had no hosts, and no other host moves") {
  const Fabric plain = make_fabric("xgft 6,3 1,2");
  const std::string spec = "xgft 6,3 1,2 --upper-hosts 5 --seed ";
  const Fabric fabric = make_fabric(spec + "2");
  CHECK(link_count(fabric) == link_count(plain));
  REQUIRE(fabric.end_port_count() == plain.end_port_count());
  std::uint32_t moved = 0;
  for (const EndPort& now : fabric.end_ports()) {
    const EndPort& before = plain.end_port(*plain.find_end_port(now.port_guid));
    CHECK(now.name == before.name);
    const auto had = plain.endpoints_per_switch()[now.attached.value()];
    if (now.attached == before.attached) {
      CHECK(now.switch_port == before.switch_port);
    } else {
      CHECK(had == 0);
      ++moved;
    }
  }
  CHECK(moved == 5);
  CHECK(fingerprint(fabric) == fingerprint(make_fabric(spec + "2")));
  CHECK(fingerprint(fabric) != fingerprint(make_fabric(spec + "3")));
}

TEST_CASE("absent hosts and servers do not change which links damage removes") {
  const Fabric damaged = make_fabric("chic --kill-links 20 --seed 2");
  const Fabric both = make_fabric("chic --kill-links 20 --servers 1 --absent-hosts 40 --seed 2");
  REQUIRE(both.channel_count() == damaged.channel_count());
  for (std::uint32_t c = 0; c < damaged.channel_count(); ++c)
    CHECK(both.channel_label(ChannelId(c)) == damaged.channel_label(ChannelId(c)));
}

TEST_CASE("uneven leaves lack some of their last hosts, but never all") {
  const Fabric plain = make_fabric("xgft 8,40 1,4");
  const Fabric fabric = make_fabric("xgft 8,40 1,4 --uneven-hosts 5");
  const std::map<std::size_t, std::size_t> counts = hosts_per_switch(fabric);
  for (const auto& [hosts, switches] : counts) CHECK((hosts == 0 || (hosts >= 3 && hosts <= 8)));
  CHECK(counts.size() == 7);  // all of 3 to 8 occur, and spines have no hosts
  CHECK(link_count(fabric) == link_count(plain));
  for (const EndPort& e : fabric.end_ports()) {
    CHECK(e.switch_port <= fabric.endpoints_per_switch()[e.attached.value()]);
  }
  const auto rest = hosts_per_switch(make_fabric("xgft 4,40 1,4 --uneven-hosts 4294967295"));
  CHECK(rest.begin()->first == 0);
  CHECK(rest.begin()->second == 4);
}

TEST_CASE("a mixed rate applies to all cables of half of the leaves") {
  const Fabric fabric = make_fabric("xgft 4,10 1,4 --rate 4xHDR --mixed-rate 4xEDR --seed 2");
  std::map<std::string, std::size_t> hosts, links;
  std::map<std::uint32_t, std::string> leaves;
  for (const EndPort& e : fabric.end_ports()) {
    ++hosts[to_string(e.rate)];
    CHECK(leaves.emplace(e.attached.value(), to_string(e.rate)).first->second == to_string(e.rate));
  }
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const std::string rate = to_string(fabric.channel_rate()[c]);
    ++links[rate];
    if (leaves.contains(fabric.channel_tail()[c])) CHECK(leaves[fabric.channel_tail()[c]] == rate);
  }
  const std::map<std::string, std::size_t> expected_hosts{{"4xHDR", 20}, {"4xEDR", 20}};
  const std::map<std::string, std::size_t> expected_links{{"4xHDR", 40}, {"4xEDR", 40}};
  CHECK(hosts == expected_hosts);
  CHECK(links == expected_links);
}
