#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "fake_opensm.h"
#include "osm_plugin/switch_tables.h"

using namespace pssp;

namespace {

constexpr unsigned far_away = 1000;

/// Switches 1 .. n (GUID = LID) with random links, parallel ones among them, and one host a switch
/// (LID n + 1 ...).
struct RandomSubnet {
  FakeOpensm opensm;
  std::vector<osm_node_t*> switches;
  std::vector<std::vector<unsigned>> distance;  // by Floyd and Warshall

  RandomSubnet(unsigned count, unsigned links, unsigned seed) {
    constexpr std::uint8_t ports = 16;
    std::mt19937 random(seed);
    distance.assign(count, std::vector<unsigned>(count, far_away));
    std::vector<std::uint8_t> next_port(count, 2);
    for (unsigned s = 0; s < count; ++s) {
      const auto lid = static_cast<std::uint16_t>(s + 1);
      switches.push_back(&opensm.add_switch(lid, ports, lid));
      osm_node_t& host = opensm.add_adapter(0x1000U + 2 * s, 1, "host");
      opensm.connect(*switches[s], 1, host, 1);
      opensm.set_lid(host, 1, static_cast<std::uint16_t>(count + s + 1));
      distance[s][s] = 0;
    }
    for (unsigned link = 0; link < links; ++link) {
      const auto a = static_cast<unsigned>(random() % count);
      const auto b = static_cast<unsigned>(random() % count);
      if (a == b || next_port[a] > ports || next_port[b] > ports) continue;
      opensm.connect(*switches[a], next_port[a]++, *switches[b], next_port[b]++);
      distance[a][b] = distance[b][a] = 1;
    }
    for (unsigned k = 0; k < count; ++k) {
      for (unsigned i = 0; i < count; ++i) {
        for (unsigned j = 0; j < count; ++j) {
          distance[i][j] = std::min(distance[i][j], distance[i][k] + distance[k][j]);
        }
      }
    }
    opensm.prepare_switches();
  }
};

/// Hop count at switch s for switch d by `port`, as OpenSM's headers define it; the least one at
/// port 0.
unsigned expected_hops(const RandomSubnet& random, unsigned s, unsigned d, std::uint8_t port) {
  if (port == 0) {
    return random.distance[s][d] >= far_away ? unsigned{OSM_NO_PATH} : random.distance[s][d];
  }
  const osm_physp_t* const far = FakeOpensm::port(*random.switches[s], port).p_remote_physp;
  if (far == nullptr || far->p_node->sw == nullptr) return OSM_NO_PATH;
  const auto neighbour = static_cast<unsigned>(cl_ntoh64(far->p_node->node_info.node_guid)) - 1;
  const unsigned beyond = random.distance[neighbour][d];
  return beyond >= far_away ? unsigned{OSM_NO_PATH} : beyond + 1;
}

}  // namespace

TEST_CASE("hop counts are one more than the neighbour's distance") {
  const unsigned seed = GENERATE(1U, 2U, 3U, 4U);
  const unsigned links = GENERATE(12U, 40U);  // 12: several islands
  RandomSubnet random(20, links, seed);
  const Subnet subnet = read_subnet(random.opensm.subnet());
  write_hop_counts(subnet);
  std::size_t wrong = 0;
  for (unsigned s = 0; s < 20; ++s) {
    for (unsigned d = 0; d < 20; ++d) {
      for (std::uint8_t port = 0; port <= 16; ++port) {
        const unsigned hops = osm_switch_get_hop_count(random.switches[s]->sw,
                                                       static_cast<std::uint16_t>(d + 1), port);
        wrong += hops == expected_hops(random, s, d, port) ? 0 : 1;
      }
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a chain longer than OpenSM can count has no hop counts at its far end") {
  FakeOpensm opensm;
  constexpr unsigned length = 300;
  std::vector<osm_node_t*> chain;
  for (unsigned s = 0; s < length; ++s) {
    chain.push_back(&opensm.add_switch(s + 1, 2, static_cast<std::uint16_t>(s + 1)));
    if (s != 0) opensm.connect(*chain[s - 1], 2, *chain[s], 1);
  }
  opensm.prepare_switches();
  write_hop_counts(read_subnet(opensm.subnet()));
  const auto hops = [&chain](unsigned at, unsigned to, std::uint8_t port) {
    return unsigned{
        osm_switch_get_hop_count(chain[at]->sw, static_cast<std::uint16_t>(to + 1), port)};
  };
  CHECK(hops(0, 254, 0) == 254);
  CHECK(hops(0, 254, 2) == 254);
  CHECK(hops(0, 255, 0) == OSM_NO_PATH);
  CHECK(hops(0, 299, 2) == OSM_NO_PATH);
}

TEST_CASE("forwarding tables and path counts go to OpenSM's switches") {
  RandomSubnet random(6, 14, 5);
  const Subnet subnet = read_subnet(random.opensm.subnet());
  ForwardingTables tables(6, subnet.fabric.max_lid());
  std::mt19937 draw(GENERATE(1U, 2U));
  for (unsigned s = 0; s < 6; ++s) {
    for (Lid lid = 1; lid <= 12; ++lid) {
      const auto port = static_cast<unsigned>(draw() % 18);  // 17: no route
      tables.set(SwitchId(s), lid, port == 17 ? no_port : static_cast<PortNumber>(port));
    }
  }
  // What an earlier routing left beyond our LIDs must go.
  random.switches[0]->sw->new_lft[0] = 3;
  const bool with_switches = GENERATE(false, true);
  random.opensm.subnet().opt.port_profile_switch_nodes = with_switches ? 1 : 0;
  write_forwarding_tables(random.opensm.subnet(), subnet, tables);

  for (unsigned s = 0; s < 6; ++s) {
    const osm_switch_t& sw = *random.switches[s]->sw;
    std::vector<unsigned> paths(17, 0);
    CHECK(sw.new_lft[0] == no_port);
    for (Lid lid = 1; lid <= 12; ++lid) {
      const PortNumber port = tables.at(SwitchId(s), lid);
      CHECK(sw.new_lft[lid] == port);
      if (port != no_port && (with_switches || lid > 6)) ++paths[port];
    }
    for (std::uint8_t port = 0; port <= 16; ++port) {
      CHECK(osm_switch_path_count_get(&sw, port) == paths[port]);
    }
  }
}

TEST_CASE("resetting leaves the switches as OpenSM prepares them") {
  RandomSubnet random(6, 14, 6);
  const Subnet subnet = read_subnet(random.opensm.subnet());
  ForwardingTables tables(6, subnet.fabric.max_lid());
  for (unsigned s = 0; s < 6; ++s) tables.set(SwitchId(s), 7, 1);
  write_hop_counts(subnet);
  write_forwarding_tables(random.opensm.subnet(), subnet, tables);
  reset_switches(random.opensm.subnet());
  for (const osm_node_t* const node : random.switches) {
    const osm_switch_t& sw = *node->sw;
    CHECK(std::count(sw.new_lft, sw.new_lft + sw.lft_size, OSM_NO_PATH) == sw.lft_size);
    for (std::uint16_t lid = 1; lid <= 12; ++lid) {
      CHECK(osm_switch_get_least_hops(&sw, lid) == OSM_NO_PATH);
      CHECK(osm_switch_get_hop_count(&sw, lid, 2) == OSM_NO_PATH);
    }
    CHECK(osm_switch_path_count_get(&sw, 1) == 0);
  }
}
