// Meshes, tori, HyperX, random graphs and dragonflies: degrees, and distances compared with the
// formula that defines each network.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "tests/topologies/fabric_graph.h"
#include "topologies/registry.h"

using namespace pssp;
using namespace pssp::test;

namespace {

/// Coordinates in a description "switch 1,2,3".
std::vector<int> coordinates(const Switch& s) {
  std::istringstream text(s.description.substr(std::string("switch ").size()));
  std::vector<int> at;
  for (std::string item; std::getline(text, item, ',');) at.push_back(std::stoi(item));
  return at;
}

/// Checks that the hop count between any two switches is the sum of `step` over the dimensions.
/// `step` gets the dimension and the two coordinates.
void require_distances(const Fabric& fabric,
                       const std::function<int(std::size_t, int, int)>& step) {
  const SwitchGraph graph = switch_graph(fabric);
  std::size_t wrong = 0;
  for (std::size_t a = 0; a < fabric.switch_count(); ++a) {
    const std::vector<int> hops = distances(graph, a);
    const std::vector<int> from = coordinates(fabric.switches()[a]);
    for (std::size_t b = 0; b < fabric.switch_count(); ++b) {
      const std::vector<int> to = coordinates(fabric.switches()[b]);
      int expected = 0;
      for (std::size_t d = 0; d < from.size(); ++d) expected += step(d, from[d], to[d]);
      if (hops[b] != expected) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

int along_mesh(std::size_t, int a, int b) { return std::abs(a - b); }

}  // namespace

TEST_CASE("a 5x5 mesh with two hosts per switch has 50 hosts and 40 links") {
  const Fabric fabric = make_fabric("mesh 5x5 --hosts 2");
  CHECK(fabric.host_count() == 50);
  CHECK(fabric.switch_count() == 25);
  CHECK(link_count(fabric) == 40);
  CHECK(degrees(fabric) == std::map<std::size_t, std::size_t>{{2, 4}, {3, 12}, {4, 9}});
  CHECK(hosts_per_switch(fabric) == std::map<std::size_t, std::size_t>{{2, 25}});
  require_distances(fabric, along_mesh);
}

TEST_CASE("meshes of any sizes and dimensions have the distances of a mesh") {
  for (const std::string sizes : {"7", "4x2", "2x3x5", "1x4", "3x2x2x3", "1"}) {
    INFO(sizes);
    require_distances(make_fabric("mesh " + sizes), along_mesh);
  }
  CHECK(link_count(make_fabric("mesh 4x4x4 --hosts 2")) == 144);
}

TEST_CASE("tori have the degrees and distances of a torus") {
  const std::vector<int> sizes{6, 6, 4};
  const Fabric fabric = make_fabric("torus 6x6x4");
  CHECK(fabric.host_count() == 144);
  CHECK(fabric.switch_count() == 144);
  CHECK(degrees(fabric) == std::map<std::size_t, std::size_t>{{6, 144}});
  CHECK(diameter(fabric) == 3 + 3 + 2);
  CHECK_FALSE(has_parallel_links(fabric));
  require_distances(fabric, [&sizes](std::size_t d, int a, int b) {
    return std::min(std::abs(a - b), sizes[d] - std::abs(a - b));
  });
  const Fabric ring = make_fabric("torus 9");
  CHECK(degrees(ring) == std::map<std::size_t, std::size_t>{{2, 9}});
  CHECK(diameter(ring) == 4);
}

TEST_CASE("a torus dimension of two switches has one cable, not two") {
  const Fabric fabric = make_fabric("torus 2x5");
  CHECK(degrees(fabric) == std::map<std::size_t, std::size_t>{{3, 10}});
  CHECK_FALSE(has_parallel_links(fabric));
}

TEST_CASE("parallel cables of a mesh connect the same neighbors") {
  const Fabric fabric = make_fabric("mesh 3x4 --parallel 3");
  CHECK(link_count(fabric) == 51);
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> links;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    ++links[{fabric.channel_tail()[c], fabric.channel_head()[c]}];
  }
  for (const auto& [ends, count] : links) CHECK(count == 3);
  require_distances(fabric, along_mesh);
}

TEST_CASE("regular mesh ports are numbered hosts first, then minus and plus of each dimension") {
  const Fabric fabric = make_fabric("torus 5x4x3 --hosts 2 --parallel 2");
  const std::vector<int> sizes{5, 4, 3};
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const std::vector<int> from = coordinates(fabric.switches()[fabric.channel_tail()[c]]);
    const std::vector<int> to = coordinates(fabric.switches()[fabric.channel_head()[c]]);
    const int direction = (fabric.channel_out_port()[c] - 2 - 1) / 2;
    const auto d = static_cast<std::size_t>(direction / 2);
    std::vector<int> expected = from;
    expected[d] = (from[d] + (direction % 2 == 1 ? 1 : sizes[d] - 1)) % sizes[d];
    CHECK(to == expected);
    CHECK(fabric.switches()[fabric.channel_tail()[c]].ports == 2 + 12);
  }
}

TEST_CASE("the distance in a hypercube is the number of differing bits") {
  const Fabric fabric = make_fabric("hypercube 6 --hosts 2");
  CHECK(fabric.host_count() == 128);
  CHECK(fabric.switch_count() == 64);
  CHECK(degrees(fabric) == std::map<std::size_t, std::size_t>{{6, 64}});
  require_distances(fabric, along_mesh);
}

TEST_CASE("the distance in a HyperX network is the number of differing coordinates") {
  for (const std::string sizes : {"4x4", "3x5x2", "7", "1x3"}) {
    INFO(sizes);
    const Fabric fabric = make_fabric("hyperx " + sizes);
    CHECK_FALSE(has_parallel_links(fabric));
    require_distances(fabric, [](std::size_t, int a, int b) { return a == b ? 0 : 1; });
  }
}

TEST_CASE("a full mesh connects every two switches directly") {
  const Fabric fabric = make_fabric("full-mesh 8 --hosts 2");
  CHECK(fabric.host_count() == 16);
  CHECK(degrees(fabric) == std::map<std::size_t, std::size_t>{{7, 8}});
  CHECK(diameter(fabric) == 1);
  CHECK(make_fabric("full-mesh 1 --hosts 0").switch_count() == 1);
}

TEST_CASE("random regular graphs are regular, simple and connected") {
  struct Size {
    unsigned switches, degree;
  };
  for (const Size size : {Size{64, 8}, Size{2, 1}, Size{1, 0}, Size{10, 9}, Size{10, 8},
                          Size{11, 2}, Size{12, 3}, Size{7, 4}, Size{40, 37}}) {
    for (int seed = 1; seed <= 5; ++seed) {
      const std::string spec = "random-regular " + std::to_string(size.switches) + " --degree " +
                               std::to_string(size.degree) + " --hosts 8 --seed " +
                               std::to_string(seed);
      INFO(spec);
      const Fabric fabric = make_fabric(spec);
      CHECK(fabric.switch_count() == size.switches);
      CHECK(fabric.host_count() == std::size_t{8} * size.switches);
      CHECK(degrees(fabric) == std::map<std::size_t, std::size_t>{{size.degree, size.switches}});
      CHECK_FALSE(has_parallel_links(fabric));
      CHECK(islands(fabric) == 1);
    }
  }
}

TEST_CASE("random regular graphs are random") {
  // On 6 labeled switches, 60 of the connected simple 3-regular graphs are prisms and 10 are
  // K(3,3). Only prisms have triangles. A uniform choice gives K(3,3) with probability 1/7.
  int bipartite = 0;
  constexpr int trials = 700;
  for (int seed = 0; seed < trials; ++seed) {
    const Fabric fabric = make_fabric("random-regular 6 --degree 3 --seed " + std::to_string(seed));
    std::set<std::pair<std::uint32_t, std::uint32_t>> adjacent;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      adjacent.emplace(fabric.channel_tail()[c], fabric.channel_head()[c]);
    }
    bool triangle = false;
    for (const auto& [a, b] : adjacent) {
      for (std::uint32_t third = 0; third < 6; ++third) {
        triangle = triangle || (adjacent.count({a, third}) != 0 && adjacent.count({b, third}) != 0);
      }
    }
    if (!triangle) ++bipartite;
  }
  CHECK(bipartite > trials / 7 - 40);  // the standard deviation is 9.3
  CHECK(bipartite < trials / 7 + 40);
}

TEST_CASE("the dragonfly a=4 h=2 p=2 has 72 hosts, 36 switches and 9 groups") {
  const Fabric fabric = make_fabric("dragonfly --switches 4 --global-links 2 --hosts 2");
  CHECK(fabric.host_count() == 72);
  CHECK(fabric.switch_count() == 36);
  CHECK(degrees(fabric) == std::map<std::size_t, std::size_t>{{3 + 2, 36}});
  CHECK(diameter(fabric) == 3);
  CHECK_FALSE(has_parallel_links(fabric));
  for (int a = 1; a <= 9; ++a) {
    for (int b = 1; b <= 9; ++b) {
      const std::size_t links = links_between(fabric, "group " + std::to_string(a) + " ",
                                              "group " + std::to_string(b) + " ");
      CHECK(links == (a == b ? 12U : 1U));  // within a group: both directions of 6 links
    }
  }
}

TEST_CASE("dragonflies with fewer groups have more links between each pair of groups") {
  const Fabric fabric = make_fabric("dragonfly --switches 4 --global-links 2 --hosts 1 --groups 4");
  CHECK(fabric.switch_count() == 16);
  for (int a = 1; a <= 4; ++a) {
    for (int b = a + 1; b <= 4; ++b) {
      CHECK(links_between(fabric, "group " + std::to_string(a) + " ",
                          "group " + std::to_string(b) + " ") == 2);
    }
  }
  CHECK(islands(make_fabric("dragonfly --switches 5 --global-links 3 --groups 1")) == 1);
  CHECK(make_fabric("dragonfly --switches 1 --global-links 3").switch_count() == 4);
}
