// Fat trees and clusters of directors, compared with the counts in the papers and with the
// properties that define them: numbers of minimal paths, and of links across a cut.

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/topologies/fabric_graph.h"
#include "topologies/registry.h"
#include "topologies/xgft.h"

using namespace pssp;
using namespace pssp::test;

namespace {

struct Paths {
  int hops = 0;
  double count = 0;
};

/// Hop count and number of the minimal paths from a switch to every other switch.
std::vector<Paths> shortest_paths(const SwitchGraph& graph, std::size_t from) {
  const std::vector<int> hops = distances(graph, from);
  std::vector<std::size_t> order(hops.size());
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
  std::sort(order.begin(), order.end(),
            [&hops](std::size_t a, std::size_t b) { return hops[a] < hops[b]; });
  std::vector<Paths> paths(hops.size());
  for (const std::size_t s : order) {
    paths[s].hops = hops[s];
    if (s == from) paths[s].count = 1;
    for (const auto [edge, end] = boost::out_edges(s, graph);
         auto e : boost::make_iterator_range(edge, end)) {
      const std::size_t t = boost::target(e, graph);
      if (hops[t] + 1 == hops[s]) paths[s].count += paths[t].count;
    }
  }
  return paths;
}

/// In XGFT(h; m; w), two hosts whose smallest common subtree has height l are 2 (l - 1) switch hops
/// apart. Their minimal paths lead over the w_2 * .. * w_l roots of that subtree, since each host
/// has one port.
void require_fat_tree_paths(const Fabric& fabric, const std::vector<unsigned>& m,
                            const std::vector<unsigned>& w) {
  const SwitchGraph graph = switch_graph(fabric);
  std::size_t wrong = 0;
  for (std::size_t a = 0; a < fabric.end_port_count(); a += m[0]) {
    const std::vector<Paths> paths = shortest_paths(graph, fabric.end_ports()[a].attached.value());
    for (std::size_t b = 0; b < fabric.end_port_count(); ++b) {
      std::size_t height = 0;
      double roots = 1;
      for (std::size_t tree_a = a, tree_b = b; height == 0 || tree_a != tree_b; ++height) {
        tree_a /= m[height];
        tree_b /= m[height];
        if (height > 0) roots *= w[height];
      }
      const Paths& found = paths[fabric.end_ports()[b].attached.value()];
      if (found.hops != 2 * (static_cast<int>(height) - 1) || found.count != roots) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("a 4-ary 2-tree has 16 hosts and 8 switches") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 2");
  CHECK(fabric.host_count() == 16);
  CHECK(fabric.switch_count() == 8);
  CHECK(link_count(fabric) == 16);
  CHECK(degrees(fabric) == std::map<std::size_t, std::size_t>{{4, 8}});
  CHECK(hosts_per_switch(fabric) == std::map<std::size_t, std::size_t>{{0, 4}, {4, 4}});
  CHECK(diameter(fabric) == 2);
  CHECK_FALSE(has_parallel_links(fabric));
  require_fat_tree_paths(fabric, {4, 4}, {1, 4});
}

TEST_CASE("k-ary n-trees have k^n hosts and n k^(n-1) switches") {
  struct Tree {
    unsigned k, n;
    std::size_t hosts, switches;
  };
  for (const Tree tree : {Tree{2, 1, 2, 1}, Tree{2, 5, 32, 80}, Tree{3, 3, 27, 27},
                          Tree{8, 2, 64, 16}, Tree{1, 4, 1, 4}, Tree{5, 3, 125, 75}}) {
    const std::string spec =
        "k-ary-n-tree " + std::to_string(tree.k) + ' ' + std::to_string(tree.n);
    INFO(spec);
    const Fabric fabric = make_fabric(spec);
    CHECK(fabric.host_count() == tree.hosts);
    CHECK(fabric.switch_count() == tree.switches);
    CHECK(islands(fabric) == 1);
    const XgftParameters xgft = k_ary_n_tree(tree.k, tree.n);
    require_fat_tree_paths(fabric, xgft.children, xgft.parents);
  }
}

TEST_CASE("XGFT(3;16,16,16;1,8,8) has 4096 hosts and 448 switches") {
  const Fabric fabric = make_fabric("xgft 16,16,16 1,8,8");
  CHECK(fabric.host_count() == 4096);
  CHECK(fabric.switch_count() == 448);
  CHECK(switches_called(fabric, "leaf ") == 256);
  CHECK(switches_called(fabric, "level 2 ") == 128);
  CHECK(switches_called(fabric, "level 3 ") == 64);
  CHECK(links_between(fabric, "leaf ", "level 2 ") == 2048);
  CHECK(links_between(fabric, "level 2 ", "level 3 ") == 1024);
  CHECK(degrees(fabric) == std::map<std::size_t, std::size_t>{{8, 256}, {16, 64}, {24, 128}});
  CHECK(diameter(fabric) == 4);
}

TEST_CASE("XGFTs have the minimal paths of their definition") {
  require_fat_tree_paths(make_fabric("xgft 4,3,2 1,2,3"), {4, 3, 2}, {1, 2, 3});
  require_fat_tree_paths(make_fabric("xgft 2,3,2,2 1,3,1,2"), {2, 3, 2, 2}, {1, 3, 1, 2});
  require_fat_tree_paths(make_fabric("xgft 6 1"), {6}, {1});
}

TEST_CASE("parallel cables of a fat tree connect the same switches, and hosts have one cable") {
  const Fabric once = make_fabric("xgft 4,3,2 1,2,3");
  const Fabric thrice = make_fabric("xgft 4,3,2 1,2,3 --parallel 3");
  CHECK(thrice.host_count() == once.host_count());
  CHECK(thrice.switch_count() == once.switch_count());
  CHECK(link_count(thrice) == 3 * link_count(once));
  const SwitchGraph before = switch_graph(once);
  const SwitchGraph now = switch_graph(thrice);
  for (std::size_t s = 0; s < once.switch_count(); ++s) {
    CHECK(distances(now, s) == distances(before, s));
    CHECK(boost::out_degree(s, now) == 3 * boost::out_degree(s, before));
    // Every port has exactly one cable.
    CHECK(thrice.switches()[s].ports ==
          boost::out_degree(s, now) + thrice.endpoints_per_switch()[s]);
  }
}

TEST_CASE("joined trees are complete, and neighbor trees are connected spine to spine") {
  const Fabric fabric =
      make_fabric("joined-trees --leafs 5,3,2 --hosts 4,6,2 --spines 3 --cables 7");
  CHECK(fabric.host_count() == 5 * 4 + 3 * 6 + 2 * 2);
  CHECK(fabric.switch_count() == 10 + 9);
  CHECK(islands(fabric) == 1);
  CHECK(links_between(fabric, "tree 1 leaf", "tree 1 spine") == 15);
  CHECK(links_between(fabric, "tree 2 leaf", "tree 2 spine") == 9);
  CHECK(links_between(fabric, "tree 3 leaf", "tree 3 spine") == 6);
  CHECK(links_between(fabric, "tree 1 spine", "tree 2 spine") == 7);
  CHECK(links_between(fabric, "tree 2 spine", "tree 3 spine") == 7);
  CHECK(links_between(fabric, "tree 1 spine 1", "tree 2 spine 1") == 3);
  CHECK(link_count(fabric) == 15 + 9 + 6 + 14);
  CHECK(link_count(make_fabric("joined-trees --leafs 4 --hosts 2 --spines 2")) == 8);
}

TEST_CASE("directors are Clos networks of 24-port switches") {
  struct Chassis {
    std::size_t ports, lines, spines, paths;
  };
  for (const Chassis d :
       {Chassis{288, 24, 12, 12}, Chassis{144, 12, 6, 24}, Chassis{96, 8, 4, 36}}) {
    INFO(d.ports);
    const Fabric fabric = make_fabric("director " + std::to_string(d.ports));
    CHECK(fabric.host_count() == d.ports);
    CHECK(switches_called(fabric, "director line ") == d.lines);
    CHECK(switches_called(fabric, "director spine ") == d.spines);
    CHECK(fabric.switch_count() == d.lines + d.spines);
    CHECK(links_between(fabric, "director line ", "director spine ") == d.ports);
    CHECK(hosts_per_switch(fabric) ==
          std::map<std::size_t, std::size_t>{{0, d.spines}, {12, d.lines}});
    const std::vector<Paths> paths = shortest_paths(switch_graph(fabric), 0);
    for (std::size_t line = 1; line < d.lines; ++line) {
      CHECK(paths[line].hops == 2);
      CHECK(paths[line].count == static_cast<double>(d.paths));
    }
  }
}

TEST_CASE("the largest director is a Clos network of three levels") {
  const Fabric fabric = make_fabric("director 3456");
  CHECK(fabric.host_count() == 3456);
  CHECK(fabric.switch_count() == 720);
  CHECK(switches_called(fabric, "director middle ") == 288);
  CHECK(switches_called(fabric, "director spine ") == 144);
  CHECK(links_between(fabric, "director line ", "director middle ") == 3456);
  CHECK(links_between(fabric, "director middle ", "director spine ") == 3456);
  CHECK(hosts_per_switch(fabric) == std::map<std::size_t, std::size_t>{{0, 432}, {12, 288}});
  // Within a card of 12 leaf modules, one path over each of its 12 middle switches; to another
  // card, one path over each of the 144 spines.
  const std::vector<Paths> paths = shortest_paths(switch_graph(fabric), 0);
  for (std::size_t line = 1; line < 288; ++line) {
    CHECK(paths[line].hops == (line < 12 ? 2 : 4));
    CHECK(paths[line].count == (line < 12 ? 12.0 : 144.0));
  }
}

TEST_CASE("Atlas and Ranger have full bisection bandwidth between leaves and directors") {
  const Fabric atlas = make_fabric("atlas");
  CHECK(atlas.host_count() == 1142);
  CHECK(atlas.switch_count() == 96 + 4 * 36);
  CHECK(links_between(atlas, "leaf ", "director ") == 96 * 12);
  CHECK(hosts_per_switch(atlas) ==
        std::map<std::size_t, std::size_t>{{0, 144}, {11, 10}, {12, 86}});
  const Fabric ranger = make_fabric("ranger");
  CHECK(ranger.host_count() == 3936);
  CHECK(ranger.switch_count() == 328 + 2 * 720);
  CHECK(links_between(ranger, "leaf ", "director 1 line ") == 328 * 6);
  CHECK(links_between(ranger, "leaf ", "director 2 line ") == 328 * 6);
  CHECK(hosts_per_switch(ranger) == std::map<std::size_t, std::size_t>{{0, 1440}, {12, 328}});
}

TEST_CASE("the INAM fabrics are parts of a 144-port director") {
  const Fabric small = make_fabric("inam35");
  CHECK(small.host_count() == 35);
  CHECK(small.switch_count() == 12);
  CHECK(links_between(small, "leaf 1", "spine ") == 12);
  CHECK(links_between(small, "leaf ", "spine 6") == 12);
  const Fabric large = make_fabric("inam71");
  CHECK(large.host_count() == 71);
  CHECK(large.switch_count() == 17);
  CHECK(link_count(large) == 11 * 12);
}

TEST_CASE("Odin has 128 hosts at a 144-port director") {
  const Fabric fabric = make_fabric("odin");
  CHECK(fabric.host_count() == 128);
  CHECK(fabric.switch_count() == 18);
}

TEST_CASE("CHiC has 528 hosts and full bisection bandwidth") {
  const Fabric fabric = make_fabric("chic");
  CHECK(fabric.host_count() == 528);
  CHECK(fabric.switch_count() == 116);
  CHECK(switches_called(fabric, "leaf ") == 44);
  for (const std::string director : {"director 1", "director 2"}) {
    CHECK(switches_called(fabric, director + " line ") == 24);
    CHECK(switches_called(fabric, director + " spine ") == 12);
    CHECK(links_between(fabric, "leaf ", director) == 264);
    CHECK(links_between(fabric, director + " line ", director + " spine ") == 288);
    for (int leaf = 1; leaf <= 44; ++leaf) {
      const std::string name = "leaf " + std::to_string(leaf);
      std::size_t links = 0;
      for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
        const Switch& head = fabric.switches()[fabric.channel_head()[c]];
        if (fabric.switches()[fabric.channel_tail()[c]].description == name &&
            head.description.rfind(director, 0) == 0) {
          ++links;
        }
      }
      CHECK(links == 6);
    }
  }
  CHECK(hosts_per_switch(fabric) == std::map<std::size_t, std::size_t>{{0, 72}, {12, 44}});
  CHECK(diameter_between_hosts(fabric) == 4);
}

TEST_CASE("Thunderbird has 4390 hosts and half bisection bandwidth") {
  const Fabric fabric = make_fabric("thunderbird");
  CHECK(fabric.host_count() == 4390);
  CHECK(fabric.switch_count() == 563);
  CHECK(switches_called(fabric, "leaf ") == 275);
  CHECK(links_between(fabric, "leaf ", "director ") == 2200);
  CHECK(hosts_per_switch(fabric) ==
        std::map<std::size_t, std::size_t>{{0, 288}, {15, 10}, {16, 265}});
  for (int d = 1; d <= 8; ++d)
    CHECK(links_between(fabric, "leaf ", "director " + std::to_string(d) + " line ") == 275);
  CHECK(diameter_between_hosts(fabric) == 4);
}

TEST_CASE("Deimos has 724 hosts at three directors in a row") {
  const Fabric fabric = make_fabric("deimos");
  CHECK(fabric.host_count() == 724);
  CHECK(fabric.switch_count() == 108);
  CHECK(links_between(fabric, "director 1 ", "director 2 ") == 30);
  CHECK(links_between(fabric, "director 2 ", "director 3 ") == 30);
  CHECK(links_between(fabric, "director 1 ", "director 3 ") == 0);
  CHECK(hosts_called(fabric, "director 1 ") == 248);
  CHECK(hosts_called(fabric, "director 2 ") == 228);
  CHECK(hosts_called(fabric, "director 3 ") == 248);
  CHECK(islands(fabric) == 1);
}

TEST_CASE("clusters of directors can have other sizes") {
  const Fabric tree = make_fabric(
      "leaf-director --leafs 8 --hosts 61 --directors 2 --uplinks 6 --director-ports 144");
  CHECK(tree.host_count() == 61);
  CHECK(tree.switch_count() == 44);
  CHECK(hosts_per_switch(tree) == std::map<std::size_t, std::size_t>{{0, 36}, {7, 3}, {8, 5}});
  const Fabric chain =
      make_fabric("director-chain --directors 4 --cables 5 --hosts 40 --director-ports 48");
  CHECK(chain.host_count() == 40);
  CHECK(chain.switch_count() == 24);
  CHECK(links_between(chain, "director 2 ", "director 3 ") == 5);
  CHECK(links_between(chain, "director 1 ", "director 4 ") == 0);
  for (int d = 1; d <= 4; ++d) CHECK(hosts_called(chain, "director " + std::to_string(d)) == 10);
}
