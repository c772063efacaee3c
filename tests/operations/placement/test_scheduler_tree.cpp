// Tests the topology that a batch scheduler gets: each node appears once, connected leaves share a
// vertex, and Slurm accepts all names.

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "fabric/builder.h"
#include "fabric/nodes/host_list.h"
#include "operations/placement/scheduler_nodes.h"
#include "operations/placement/slurm_topology.h"
#include "tests/fabric/formats/format_testing.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

std::vector<ScheduledNode> a_node_a_host(const Fabric& fabric) {
  std::vector<ScheduledNode> nodes;
  for (const EndPortId e : fabric.endpoints())
    nodes.push_back({"n" + std::to_string(nodes.size()), {fabric.end_port(e).attached}});
  return nodes;
}

/// The node names in all lines of topology.conf, with host lists expanded, sorted.
std::vector<std::string> nodes_in(const std::string& conf) {
  std::vector<std::string> names;
  std::size_t at = 0;
  while ((at = conf.find(" Nodes=", at)) != std::string::npos) {
    at += 7;
    for (const std::string& each : expand_host_list(conf.substr(at, conf.find('\n', at) - at)))
      names.push_back(each);
  }
  std::ranges::sort(names);
  return names;
}

/// One switch with one adapter for each description.
Fabric hosts_named(const std::vector<std::string>& descriptions) {
  FabricBuilder builder;
  const NodeId s = builder.add_switch(1, 200, "S", "MF0;a b:M/L3/U1");
  for (unsigned i = 0; i < descriptions.size(); ++i) {
    const NodeId host = builder.add_adapter(0x100 + i, 1, EndPortKind::channel_adapter,
                                            "H" + std::to_string(i), descriptions[i]);
    builder.connect(host, 1, s, static_cast<PortNumber>(i + 1), {});
  }
  return std::move(builder).build();
}

/// Whether two switches are connected by switches at most `most` hops from the leaves; by flooding.
bool hang_together(const Fabric& fabric, std::uint32_t a, std::uint32_t b,
                   const std::vector<std::uint32_t>& distance, std::uint32_t most) {
  std::set<std::uint32_t> seen{a};
  std::vector<std::uint32_t> open{a};
  while (!open.empty()) {
    const std::uint32_t s = open.back();
    open.pop_back();
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      const std::uint32_t head = fabric.channel_head()[c];
      if (distance[head] <= most && seen.insert(head).second) open.push_back(head);
    }
  }
  return seen.contains(b);
}

void collect(const SchedulerTree& tree, std::uint32_t vertex, std::vector<std::uint32_t>& units) {
  if (tree.vertices[vertex].children.empty()) units.push_back(vertex);
  for (const std::uint32_t child : tree.vertices[vertex].children) collect(tree, child, units);
}

}  // namespace

TEST_CASE("units of a tree share a vertex from the lowest level at which they are connected") {
  for (const char* spec : {"k-ary-n-tree 3 3", "xgft 4,4,4 1,2,2", "chic", "xgft 3,2,2,2 1,1,2,2",
                           "k-ary-n-tree 3 3 --kill-links 9 --seed 4"}) {
    const Fabric fabric = make_fabric(spec);
    const std::vector<ScheduledNode> nodes = a_node_a_host(fabric);
    const SchedulerTree tree = scheduler_tree(fabric, nodes);
    REQUIRE(tree.is_tree);
    REQUIRE(tree.tops.size() == 1);
    std::vector<std::uint32_t> distance(fabric.switch_count(), 1000);
    for (const ScheduledNode& node : nodes) distance[node.leaves[0].value()] = 0;
    for (std::size_t round = 0; round < fabric.switch_count(); ++round) {
      for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
        std::uint32_t& head = distance[fabric.channel_head()[c]];
        head = std::min(head, distance[fabric.channel_tail()[c]] + 1);
      }
    }
    // The sets of units below the vertices equal the sets that flooding finds.
    std::set<std::vector<std::uint32_t>> of_vertices, flooded;
    for (std::uint32_t v = tree.unit_count; v < tree.vertices.size(); ++v) {
      std::vector<std::uint32_t> units;
      collect(tree, v, units);
      std::ranges::sort(units);
      CHECK(of_vertices.insert(units).second);
    }
    for (std::uint32_t most = 0; most < 8; ++most) {
      for (std::uint32_t a = 0; a < tree.unit_count; ++a) {
        std::vector<std::uint32_t> units;
        for (std::uint32_t b = 0; b < tree.unit_count; ++b) {
          if (hang_together(fabric, tree.vertices[a].leaves[0].value(),
                            tree.vertices[b].leaves[0].value(), distance, most))
            units.push_back(b);
        }
        if (units.size() > 1) flooded.insert(units);
      }
    }
    CHECK(of_vertices == flooded);
  }
}

TEST_CASE("leaves with rails of a common node form one unit") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 2");
  const auto leaf = [&](std::uint32_t host) {
    return fabric.end_port(fabric.endpoints()[host]).attached;
  };
  const std::vector<ScheduledNode> nodes{
      {"a", {leaf(0), leaf(4)}}, {"b", {leaf(4), leaf(8)}}, {"c", {leaf(12)}}, {"d", {leaf(8)}}};
  const SchedulerTree tree = scheduler_tree(fabric, nodes);
  REQUIRE(tree.unit_count == 2);
  CHECK(tree.vertices[0].nodes == std::vector<std::uint32_t>{0, 1, 3});
  CHECK(tree.vertices[0].leaves.size() == 3);
  CHECK(tree.vertices[1].nodes == std::vector<std::uint32_t>{2});
  CHECK(tree.tops == std::vector<std::uint32_t>{2});
}

TEST_CASE("the units of a fabric that is not a tree are directly below one top") {
  for (const char* spec : {"torus 4x4 --hosts 2", "mesh 3x3 --hosts 1", "deimos",
                           "random-regular 12 --degree 3 --hosts 2"}) {
    const Fabric fabric = make_fabric(spec);
    const SchedulerTree tree = scheduler_tree(fabric, a_node_a_host(fabric));
    CHECK_FALSE(tree.is_tree);
    REQUIRE(tree.tops.size() == 1);
    CHECK(tree.vertices.size() == tree.unit_count + 1);
    CHECK(tree.vertices.back().children.size() == tree.unit_count);
  }
}

TEST_CASE("blocks consist of whole units and have at least the requested size") {
  const Fabric fabric = make_fabric("xgft 5,3,3 1,2,2");
  const std::vector<ScheduledNode> nodes = a_node_a_host(fabric);
  const SchedulerTree tree = scheduler_tree(fabric, nodes);
  const NamedTree named = name_vertices(fabric, tree, nodes, SwitchNames::unit);
  for (const std::uint32_t size : {1U, 5U, 6U, 15U, 44U, 45U}) {
    const std::string conf = to_block_conf(named, size);
    CHECK(nodes_in(conf).size() == 45);
    std::size_t at = 0;
    while ((at = conf.find(" Nodes=", at)) != std::string::npos) {
      at += 7;
      const std::size_t count = expand_host_list(conf.substr(at, conf.find('\n', at) - at)).size();
      CHECK(count >= size);
      CHECK(count % 5 == 0);
    }
  }
  CHECK(test::error_of([&] { to_block_conf(named, 46); }).find("2: blocks of 46 nodes") == 0);
}

TEST_CASE("nodes whose names are generic, ambiguous or invalid in Slurm are left out and counted") {
  const Fabric fabric = hosts_named(
      {"node1 mlx5_0", "node1 mlx5_1", "node2.site.org mlx5_0", "localhost mlx5_0", "ubuntu mlx5_0",
       "MT4123 ConnectX6   Mellanox Technologies", "a[1-3] mlx5_0", "b,c mlx5_0", "d#e mlx5_0",
       "-x mlx5_0", "Nodes=all mlx5_0", "", "\x1b[2J mlx5_0", "twin mlx5_0", "twin mlx5_0"});
  const ScheduledNodes found = scheduled_nodes(fabric, NodeRails(fabric), {});
  std::vector<std::string> names;
  for (const ScheduledNode& node : found.nodes) names.push_back(node.name);
  CHECK(names == std::vector<std::string>{"node1", "node2"});
  CHECK(found.nodes[0].leaves.size() == 2);
  REQUIRE(found.warnings.size() == 2);
  CHECK(found.warnings[0].starts_with("6 adapters or nodes"));
  CHECK(found.warnings[0].find("such as 'localhost mlx5_0'") != std::string::npos);
  CHECK(found.warnings[0].find("--node-name-map") != std::string::npos);
  CHECK(found.warnings[1].starts_with("6 nodes"));
}

TEST_CASE("rails, expressions and Slurm's node list select the nodes") {
  const Fabric fabric =
      hosts_named({"n1 mlx5_0", "n1 mlx5_1", "n2 mlx5_0", "n3 mlx5_1", "login mlx5_0"});
  const NodeRails rails(fabric);
  const auto names_with = [&](const ScheduledNodesOptions& options) {
    std::string names;
    for (const ScheduledNode& node : scheduled_nodes(fabric, rails, options).nodes)
      names += node.name + "/" + std::to_string(node.leaves.size()) + " ";
    return names;
  };
  CHECK(names_with({}) == "login/1 n1/2 n2/1 n3/1 ");
  CHECK(names_with({.rails = "0"}) == "login/1 n1/1 n2/1 ");
  CHECK(names_with({.rails = "1-7"}) == "n1/1 n3/1 ");
  CHECK(names_with({.rail_names = "mlx5_1"}) == "n1/1 n3/1 ");
  CHECK(names_with({.nodes = "n[0-9]+"}) == "n1/2 n2/1 n3/1 ");
  const std::vector<std::string> known{"N3.site.org", "n1", "gone"};
  const ScheduledNodes found = scheduled_nodes(fabric, rails, {.known = known});
  CHECK(names_with({.known = known}) == "n1/2 N3.site.org/1 ");
  REQUIRE(found.warnings.size() == 2);
  CHECK(found.warnings[0].starts_with("2 nodes of the fabric"));
  CHECK(found.warnings[1].starts_with("1 nodes of Slurm"));
  for (const ScheduledNodesOptions& wrong :
       {ScheduledNodesOptions{.rails = "x"}, ScheduledNodesOptions{.rails = "3-1"},
        ScheduledNodesOptions{.rails = "0]n[1"}, ScheduledNodesOptions{.rails = "9"},
        ScheduledNodesOptions{.rail_names = "("}, ScheduledNodesOptions{.nodes = "["},
        ScheduledNodesOptions{.nodes = "nobody"}}) {
    CHECK(test::error_of([&] { scheduled_nodes(fabric, rails, wrong); }).starts_with("2: "));
  }
}

TEST_CASE("a rail that joins all leaves is reported, with the option that leaves it out") {
  // `pods` leaves have four nodes with two rails each. The third rail of all nodes is at one
  // storage switch.
  for (const unsigned pods : {1U, 2U, 5U}) {
    for (const bool has_storage : {false, true}) {
      FabricBuilder builder;
      const NodeId storage = builder.add_switch(0x999, 200, "S", "storage");
      Guid guid = 0x1000;
      for (unsigned pod = 0; pod < pods; ++pod) {
        const NodeId leaf = builder.add_switch(pod + 1, 20, "", "leaf " + std::to_string(pod));
        builder.connect(leaf, 20, storage, static_cast<PortNumber>(150 + pod), {});
        for (unsigned node = 0; node < 4; ++node) {
          for (unsigned rail = 0; rail < (has_storage ? 3U : 2U); ++rail) {
            const NodeId adapter = builder.add_adapter(
                guid += 16, 1, EndPortKind::channel_adapter, "",
                "n" + std::to_string(4 * pod + node) + " mlx5_" + std::to_string(rail));
            const unsigned port = rail == 2 ? 4 * pod + node + 1 : 2 * node + rail + 1;
            builder.connect(adapter, 1, rail == 2 ? storage : leaf, static_cast<PortNumber>(port),
                            {});
          }
        }
      }
      const Fabric fabric = std::move(builder).build();
      const NodeRails rails(fabric);
      const ScheduledNodes found = scheduled_nodes(fabric, rails, {});
      REQUIRE(found.warnings.size() == (has_storage && pods > 1 ? 1 : 0));
      CHECK(scheduled_nodes(fabric, rails, {.rails = "0-1"}).warnings.empty());
      if (found.warnings.empty()) continue;
      CHECK(found.warnings[0].starts_with("rail 2 connects"));
      CHECK(found.warnings[0].find("--rails 0-1 ") != std::string::npos);
      CHECK(scheduler_tree(fabric, found.nodes).unit_count == 1);
      const ScheduledNodes chosen = scheduled_nodes(fabric, rails, {.rails = "0-1"});
      CHECK(scheduler_tree(fabric, chosen.nodes).unit_count == pods);
    }
  }
}

TEST_CASE("switch names that Slurm considers equal are made distinct") {
  FabricBuilder builder;
  const NodeId top = builder.add_switch(100, 20, "T", "top");
  const std::vector<std::string> descriptions{
      "leaf/1", "leaf 1", "leaf-1", "leaf-1-2", "", "***", "top", "MF0;site;x:MQM8700/L2/U1"};
  for (unsigned i = 0; i < descriptions.size(); ++i) {
    const NodeId leaf = builder.add_switch(1 + i, 20, "!" + std::to_string(i), descriptions[i]);
    builder.connect(leaf, 1, top, static_cast<PortNumber>(i + 1), {});
    const NodeId host = builder.add_adapter(0x200 + i, 1, EndPortKind::channel_adapter, "H", "");
    builder.connect(host, 1, leaf, 2, {});
  }
  const Fabric fabric = std::move(builder).build();
  const std::vector<ScheduledNode> nodes = a_node_a_host(fabric);
  const SchedulerTree tree = scheduler_tree(fabric, nodes);
  for (const SwitchNames how : {SwitchNames::full, SwitchNames::compact, SwitchNames::unit}) {
    const NamedTree named = name_vertices(fabric, tree, nodes, how);
    const std::set<std::string> different(named.vertex_names.begin(), named.vertex_names.end());
    CHECK(different.size() == tree.vertices.size());
    for (const std::string& name : different) {
      CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                   "0123456789._-") == std::string::npos);
    }
    CHECK(nodes_in(to_tree_conf(named)).size() == nodes.size());
  }
}
