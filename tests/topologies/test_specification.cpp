// Fabrics from one-line specifications: GUIDs, names, LIDs, rates, and a clear error for each
// invalid specification.

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "base/error.h"
#include "tests/topologies/fabric_graph.h"
#include "topologies/registry.h"

using namespace pssp;
using namespace pssp::test;

TEST_CASE("the example of every topology family makes a connected fabric with valid names") {
  for (const TopologyFamily& family : topology_registry()) {
    const std::string spec = std::string(family.name) + ' ' + std::string(family.example);
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    CHECK(fabric.switch_count() > 0);
    CHECK(fabric.host_count() > 0);
    CHECK(islands(fabric) == 1);
    for (const EndPort& port : fabric.end_ports()) CHECK(port.attached.valid());
    std::set<std::string> names, descriptions;
    for (const Switch& s : fabric.switches()) {
      names.insert(s.name);
      descriptions.insert(s.description);
    }
    for (const EndPort& e : fabric.end_ports()) {
      names.insert(e.name);
      descriptions.insert(e.description);
      CHECK(e.description.size() <= 64);  // NodeDescription
    }
    CHECK(names.size() == fabric.switch_count() + fabric.host_count());
    CHECK(descriptions.size() == names.size());
    for (const std::string& name : names) {
      CHECK(name.size() < 64);  // limit of ibsim for identifiers, in which '#' and '@' are special
      CHECK(name.find_first_of("#@\" ") == std::string::npos);
    }
    CHECK(fingerprint(make_fabric(spec)) == fingerprint(fabric));
  }
}

TEST_CASE("GUIDs and names are those that ibsim assigns by the order in the file") {
  const Fabric fabric = make_fabric("mesh 2x2 --hosts 2");
  for (std::uint32_t s = 0; s < 4; ++s) {
    CHECK(fabric.switches()[s].guid == 0x200000 + s);
    CHECK(fabric.switches()[s].name == "S0000" + std::to_string(s));
  }
  for (std::uint32_t e = 0; e < 8; ++e) {
    CHECK(fabric.end_ports()[e].node_guid == 0x100000 + 2 * e);
    CHECK(fabric.end_ports()[e].port_guid == 0x100001 + 2 * e);
    CHECK(fabric.end_ports()[e].name == "H0000" + std::to_string(e));
    CHECK(fabric.end_ports()[e].attached.value() == e / 2);
  }
}

TEST_CASE("shuffled GUIDs change the GUIDs but not the cabling") {
  const Fabric plain = make_fabric("chic");
  const Fabric shuffled = make_fabric("chic --shuffle-guids --seed 4");
  CHECK(fingerprint(shuffled) == fingerprint(make_fabric("chic --shuffle-guids --seed 4")));
  CHECK(fingerprint(shuffled) != fingerprint(make_fabric("chic --shuffle-guids --seed 5")));
  const auto cabling = [](const Fabric& fabric) {
    std::multiset<std::string> links;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c)
      links.insert(fabric.channel_label(ChannelId(c)));
    for (const EndPort& e : fabric.end_ports()) {
      links.insert(e.name + ' ' + fabric.switch_at(e.attached).name + ' ' +
                   std::to_string(e.switch_port));
    }
    return links;
  };
  CHECK(cabling(shuffled) == cabling(plain));
  std::set<Guid> guids;
  std::size_t in_place = 0;
  for (std::uint32_t s = 0; s < shuffled.switch_count(); ++s) {
    guids.insert(shuffled.switches()[s].guid);
    if (shuffled.switches()[s].name == plain.switches()[s].name) ++in_place;
  }
  for (const EndPort& e : shuffled.end_ports()) {
    guids.insert(e.node_guid);
    guids.insert(e.port_guid);
  }
  CHECK(guids.size() == 116 + 2 * 528);
  CHECK(in_place < 10);
}

TEST_CASE("permuted ports change the port numbers but not the neighbors") {
  const Fabric plain = make_fabric("xgft 8,4,4 1,4,2");
  const Fabric permuted = make_fabric("xgft 8,4,4 1,4,2 --permute-ports --seed 4");
  CHECK(fingerprint(permuted) ==
        fingerprint(make_fabric("xgft 8,4,4 1,4,2 --permute-ports --seed 4")));
  CHECK(fingerprint(permuted) != fingerprint(make_fabric("xgft 8,4,4 1,4,2 --permute-ports")));
  // Pairs of connected nodes, without port numbers.
  const auto neighbours = [](const Fabric& fabric) {
    std::multiset<std::string> pairs;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      pairs.insert(fabric.switch_at(SwitchId(fabric.channel_tail()[c])).name + ' ' +
                   fabric.switch_at(SwitchId(fabric.channel_head()[c])).name);
    }
    for (const EndPort& e : fabric.end_ports())
      pairs.insert(e.name + ' ' + fabric.switch_at(e.attached).name);
    return pairs;
  };
  CHECK(neighbours(permuted) == neighbours(plain));
  std::size_t in_place = 0;
  for (std::uint32_t e = 0; e < plain.end_port_count(); ++e) {
    const EndPort& port = permuted.end_port(EndPortId(e));
    CHECK(port.switch_port >= 1);
    CHECK(port.switch_port <= permuted.switch_at(port.attached).ports);
    in_place += port.switch_port == plain.end_port(EndPortId(e)).switch_port ? 1 : 0;
  }
  CHECK(in_place < plain.end_port_count() / 4);
  for (std::uint32_t s = 0; s < plain.switch_count(); ++s) {
    CHECK(permuted.switches()[s].guid == plain.switches()[s].guid);
    CHECK(permuted.switches()[s].ports == plain.switches()[s].ports);
  }
}

TEST_CASE("LIDs are assigned only on request, by the requested rule and LMC") {
  CHECK_FALSE(make_topology("mesh 3x3").has_lids());
  CHECK(make_topology("mesh 3x3 --lids").has_lids());
  CHECK(fingerprint(make_fabric("mesh 3x3 --lids")) == fingerprint(make_fabric("mesh 3x3")));
  CHECK(fingerprint(make_fabric("mesh 3x3 --lids=opensm")) == fingerprint(make_fabric("mesh 3x3")));
  const Fabric fabric = make_fabric("mesh 3x3 --hosts 2 --lids=hosts-first --lmc 2");
  CHECK(fabric.lids().size() == 18 * 4 + 9);
  for (const EndPort& e : fabric.end_ports()) {
    CHECK(e.lmc == 2);
    CHECK(e.lid % 4 == 0);
  }
  CHECK(fabric.end_ports()[0].lid == 4);
  CHECK(fabric.switches()[0].lid == 4 + 18 * 4);
  CHECK(make_fabric("mesh 3x3 --lmc 3").end_ports()[0].lmc == 3);
}

TEST_CASE("the option --rate sets the rate of all cables") {
  const Fabric fabric = make_fabric("mesh 2x2 --rate 4xHDR");
  CHECK(fabric.reference_capacity() == 200000);
  for (const LinkRate rate : fabric.channel_rate()) CHECK(to_string(rate) == "4xHDR");
  CHECK(make_fabric("mesh 2x2").reference_capacity() == 0);
}

TEST_CASE("each invalid specification is a usage error that names the reason") {
  struct Case {
    std::string spec, reports;
  };
  for (const Case& each : {
           Case{"", "no kind of topology"},
           Case{"moebius 4", "moebius"},
           Case{"mesh", "SIZES"},
           Case{"mesh 0x4", "'0' in '0x4'"},
           Case{"mesh 4x", "'' in '4x'"},
           Case{"mesh -4", "-4"},
           Case{"mesh 4y4", "4y4"},
           Case{"mesh 4,4", "4,4"},
           Case{"mesh 99999999999999999999", "99999999999999999999"},
           Case{"mesh 4x4 --hosts -1", "hosts"},
           Case{"mesh 4x4 --hosts 2.5", "2.5"},
           Case{"mesh 4x4 --hosts 251", "ports"},
           Case{"mesh 4x4 --hosts 4294967295", "LID space"},
           Case{"mesh 4x4 --absent-hosts 17", "17 hosts cannot be absent; the fabric has 16"},
           Case{"mesh 4x4 --upper-hosts 1", "and 0 switches without hosts"},
           Case{"xgft 4,4 1,4 --upper-hosts 17", "only 16 cabled hosts"},
           Case{"mesh 4x4 --mixed-rate 4xEDR", "needs --rate"},
           Case{"mesh 4x4 --rate 4xHDR --mixed-rate fast", "--mixed-rate fast"},
           Case{"xgft 4,4 1,4 --parallel 0", "1 to 254"},
           Case{"xgft 4,4 1,4 --parallel 64", "ports"},
           Case{"joined-trees --leafs 4,4 --hosts 2 --spines 2,2,2", "3 numbers of spines for 2"},
           Case{"joined-trees --leafs 4,4 --hosts 2 --spines 2 --cables 0", "0 cables"},
           Case{"joined-trees --leafs 4,4 --hosts 2 --spines 2 --cables 49000", "ports"},
           Case{"mesh 4x4 --parallel 0", "at least 1"},
           Case{"mesh 4x4 --parallel 64", "ports"},
           Case{"mesh 4x4 --colour blue", "colour"},
           Case{"mesh 49151 --hosts 0 --lmc 8", "lmc"},
           Case{"mesh 49152 --hosts 0", "49152"},
           Case{"mesh 200x200 --hosts 1", "LID space"},
           Case{"mesh 40000x40000x40000x40000x40000", "LID space"},
           Case{"mesh 100x100 --hosts 1 --lmc 7", "LMC 7"},
           Case{"mesh 100x100 --hosts 1 --lmc 3 --lids=hosts-first", "LMC 3"},
           Case{"mesh 4x4 --lids=mine", "mine"},
           Case{"mesh 4x4 --rate fast", "fast"},
           Case{"mesh 4x4 --ports odd", "odd"},
           Case{"mesh 4 --ports thesis", "thesis"},
           Case{"mesh 10x3 --ports thesis", "thesis"},
           Case{"mesh 3x1 --ports thesis", "thesis"},
           Case{"mesh 3x3 --ports thesis --parallel 2", "thesis"},
           Case{"mesh 3x3 --ports thesis --hosts 10", "thesis"},
           Case{"torus 3x3x3 --ports thesis", "thesis"},
           Case{"torus 2x3 --ports thesis", "thesis"},
           Case{"hypercube 0", "DIMENSIONS"},
           Case{"hypercube 16", "DIMENSIONS"},
           Case{"hypercube 15 --hosts 1", "LID space"},
           Case{"hyperx 4x0", "'0' in '4x0'"},
           Case{"hyperx 200x60", "ports"},
           Case{"full-mesh 0", "at least one"},
           Case{"full-mesh 300", "ports"},
           Case{"full-mesh 4294967295", "LID space"},
           Case{"k-ary-n-tree 0 2", "K must be"},
           Case{"k-ary-n-tree 4 0", "N 1 to"},
           Case{"k-ary-n-tree 128 2", "256 ports"},
           Case{"k-ary-n-tree 16 15", "LID space"},
           Case{"k-ary-n-tree 4", "N"},
           Case{"xgft 4,4 1", "one of each per level"},
           Case{"xgft 4,2 2,2", "w_1 = 1"},
           Case{"xgft 4,0 1,4", "'0' in '4,0'"},
           Case{"xgft 200,2 1,100", "300 ports"},
           Case{"xgft 254,254,254 1,1,1", "LID space"},
           Case{"xgft 1,1,1 1,254,254", "LID space"},
           Case{"director 100", "100 ports"},
           Case{"director 0", "0 ports"},
           Case{"director 144 --hosts 145", "145 hosts"},
           Case{"chic 7", "7"},
           Case{"leaf-director --leafs 0 --hosts 1 --directors 1", "at least 1"},
           Case{"leaf-director --leafs 4 --hosts 1 --directors 0", "at least 1"},
           Case{"leaf-director --leafs 4 --hosts 96 --directors 1", "24 ports"},
           Case{"leaf-director --leafs 289 --hosts 289 --directors 1", "288 ports"},
           Case{"leaf-director --leafs 4 --hosts 4 --directors 4294967295 --uplinks 4294967295",
                "LID space"},
           Case{"leaf-director --leafs 4 --hosts 4 --directors 2 --leaf-ports 300 --uplinks 4",
                "300 ports"},
           Case{"director-chain --directors 0 --cables 1 --hosts 1", "at least one director"},
           Case{"director-chain --directors 3 --cables 145 --hosts 1", "1 to 144"},
           Case{"director-chain --directors 3 --cables 30 --hosts 745", "room for 744"},
           Case{"random-regular 0 --degree 0", "at least one"},
           Case{"random-regular 5 --degree 3", "odd"},
           Case{"random-regular 5 --degree 5", "smaller degree"},
           Case{"random-regular 4 --degree 1", "connected"},
           Case{"random-regular 300 --degree 254", "ports"},
           Case{"random-regular 4294967295 --degree 2", "LID space"},
           Case{"dragonfly --switches 0 --global-links 1", "at least one switch"},
           Case{"dragonfly --switches 4 --global-links 2 --groups 10", "at most a h + 1 = 9"},
           Case{"dragonfly --switches 4 --global-links 2 --groups 0", "groups"},
           Case{"dragonfly --switches 200 --global-links 60", "ports"},
           Case{"dragonfly --switches 50 --global-links 50 --hosts 50", "LID space"},
           Case{"mesh 4x4 mesh 4x4", "mesh"},
           Case{"mesh 4x4 --help", "help"},
           Case{"mesh 4x4 --kill-switches 17", "16"},
           Case{"mesh 4x4 --kill-links 25", "of 25"},
           Case{"mesh 4x4 --seed x", "x"},
       }) {
    INFO(each.spec);
    try {
      make_topology(each.spec);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      CHECK_THAT(error.what(), Catch::Contains(each.reports));
    }
  }
}

TEST_CASE("the largest possible fabrics can be made") {
  const Fabric fabric = make_fabric("mesh 49151 --hosts 0");
  CHECK(fabric.switch_count() == 49151);
  CHECK(fabric.max_lid() == last_unicast_lid);
  CHECK(make_fabric("hyperx 254 --hosts 1").switches()[0].ports == 254);
}
