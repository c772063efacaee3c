#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "tests/topologies/fabric_graph.h"
#include "topologies/registry.h"
#include "topologies/survivors.h"

using namespace pssp;

TEST_CASE("survivors without damage are the same fabric") {
  for (const char* spec : {"chic", "torus 3x3 --hosts 2 --lmc 1 --parallel 2 --rate 4xQDR",
                           "k-ary-n-tree 3 2 --kill-switches 1"}) {
    const Fabric fabric = make_fabric(spec);
    CHECK(test::fingerprint(survivors(fabric, {}, {})) == test::fingerprint(fabric));
  }
}

TEST_CASE("survivors keep names, GUIDs and LIDs, and lose their links to removed switches") {
  const Fabric fabric = make_fabric("torus 4x4 --hosts 2 --lmc 1");
  const SwitchId dead(5);
  const ChannelId link(0);
  REQUIRE(fabric.channel_tail()[0] != dead.value());
  REQUIRE(fabric.channel_head()[0] != dead.value());
  const Fabric now = survivors(fabric, {&dead, 1}, {&link, 1});
  CHECK(now.switch_count() == 15);
  CHECK(test::link_count(now) == test::link_count(fabric) - 4 - 1);
  CHECK_FALSE(now.find_switch(fabric.switch_at(dead).guid).has_value());
  REQUIRE(now.end_port_count() == fabric.end_port_count());
  for (std::uint32_t e = 0; e < now.end_port_count(); ++e) {
    const EndPort& was = fabric.end_port(EndPortId(e));
    const EndPort& is = now.end_port(EndPortId(e));
    CHECK(is.port_guid == was.port_guid);
    CHECK(is.lid == was.lid);
    CHECK(is.lmc == was.lmc);
    CHECK(is.attached.valid() == (was.attached != dead));
  }
  std::set<std::string> labels_before, labels_now;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const bool is_dead = c == link.value() || fabric.channel_reverse()[c] == link.value() ||
                         fabric.channel_tail()[c] == dead.value() ||
                         fabric.channel_head()[c] == dead.value();
    if (!is_dead) labels_before.insert(fabric.channel_label(ChannelId(c)));
  }
  for (std::uint32_t c = 0; c < now.channel_count(); ++c) {
    labels_now.insert(now.channel_label(ChannelId(c)));
  }
  CHECK(labels_now == labels_before);
}

TEST_CASE("a dead end port keeps its LID and loses its cable") {
  const Fabric fabric = make_fabric("torus 3x3 --hosts 2");
  const EndPortId dead(7);
  const Fabric now = survivors(fabric, {}, {}, {&dead, 1});
  REQUIRE(now.end_port_count() == fabric.end_port_count());
  for (std::uint32_t e = 0; e < now.end_port_count(); ++e) {
    CHECK(now.end_port(EndPortId(e)).lid == fabric.end_port(EndPortId(e)).lid);
    CHECK(now.end_port(EndPortId(e)).attached.valid() == (e != dead.value()));
  }
  CHECK(test::link_count(now) == test::link_count(fabric));
}
