#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "fabric/builder.h"
#include "fabric/nodes/node_rails.h"

using namespace pssp;

namespace {

struct Adapter {
  std::string description;
  unsigned ports = 1;
};

/// Adapters H0, H1, ... at one switch, with cables at all ports.
Fabric with_adapters(const std::vector<Adapter>& adapters) {
  FabricBuilder builder;
  const NodeId leaf = builder.add_switch(0x1000, 200, "S0", "leaf 1");
  PortNumber next = 1;
  for (std::size_t i = 0; i < adapters.size(); ++i) {
    const NodeId host =
        builder.add_adapter(0x2000 + 0x10 * i, adapters[i].ports, EndPortKind::channel_adapter,
                            "H" + std::to_string(i), adapters[i].description);
    for (unsigned port = 1; port <= adapters[i].ports; ++port) {
      builder.connect(leaf, next++, host, static_cast<PortNumber>(port), LinkRate{});
    }
  }
  builder.assign_lids();
  return std::move(builder).build();
}

/// "name: rail=label rail=label" of each node, in order; "name?:" if no description names the node.
std::vector<std::string> shape(const NodeRails& nodes) {
  std::vector<std::string> lines;
  for (const NodeRails::Node& node : nodes.nodes()) {
    std::string line = node.name + (node.is_named ? ":" : "?:");
    for (const NodeRails::Rail& rail : node.rails) {
      line += " " + std::to_string(rail.number) + "=" + nodes.label(rail.port);
      CHECK(nodes.find_port(nodes.label(rail.port)) == rail.port);
      CHECK(nodes.nodes()[*nodes.node_of(rail.port)].name == node.name);
    }
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a rail has the same number on each node, even if a node lacks another rail") {
  const Fabric fabric = with_adapters({{"node10 HCA-1"},
                                       {"node10 HCA-3"},
                                       {"node9 HCA-3"},
                                       {"Node9.cluster HCA-2"},
                                       {"node9 HCA-1"},
                                       {"gpu1 mlx5_0"},
                                       {"gpu1 mlx5_10"},
                                       {"gpu1 mlx5_9"}});
  CHECK(shape(NodeRails(fabric)) == Lines{"gpu1: 0=gpu1/mlx5_0 1=gpu1/mlx5_9 2=gpu1/mlx5_10",
                                          "node9: 0=node9/HCA-1 1=node9/HCA-2 2=node9/HCA-3",
                                          "node10: 0=node10/HCA-1 2=node10/HCA-3"});
}

TEST_CASE("an adapter with a product name or an ambiguous name is a separate node") {
  const std::string factory = "MT4123 ConnectX6   Mellanox Technologies";
  const Fabric fabric = with_adapters({{factory},
                                       {factory},
                                       {"node2 HCA-1"},
                                       {"node2 HCA-1"},
                                       {"node2 HCA-2"},
                                       {"node1"},
                                       {"some thing else"},
                                       {"two", 2},
                                       {"twin mlx5_0", 2}});
  const NodeRails nodes(fabric);
  CHECK(shape(nodes) == Lines{"H0?: 0=H0", "H1?: 0=H1", "H2?: 0=H2", "H3?: 0=H3", "H4?: 0=H4",
                              "H6?: 0=H6", "node1: 0=node1", "twin: 0=twin/mlx5_0 1=twin/mlx5_0/2",
                              "two: 0=two/1 1=two/2"});
  CHECK(nodes.without_name().count == 3);
  CHECK(nodes.without_name().example == "'MT4123 ConnectX6   Mellanox Technologies' (H0)");
  CHECK(nodes.repeated().count == 3);
  CHECK(nodes.repeated().example == "'node2 HCA-1' (H2)");
  REQUIRE(nodes.warnings().size() == 2);
  CHECK_THAT(nodes.warnings()[0], Catch::StartsWith("3 end port(s)") &&
                                      Catch::Contains("'MT4123 ConnectX6") &&
                                      Catch::Contains("--node-name-map"));
  CHECK_FALSE(nodes.find("node2"));
  CHECK_FALSE(nodes.find_port("twin"));
  CHECK(nodes.find("NODE1.some.where"));
}

TEST_CASE("default host names of installers name no node, with and without a name rule") {
  const Fabric fabric = with_adapters({{"localhost HCA-1"},
                                       {"localhost HCA-2"},
                                       {"localhost.localdomain"},
                                       {"(none) mlx5_0"},
                                       {""},
                                       {"H-0000000000002050"},
                                       {"node1 HCA-1"}});
  for (const char* rule : {"", "^([^ ]+)"}) {
    const NodeRails nodes(fabric, NodeNameRule(rule));
    std::string named;
    for (const NodeRails::Node& node : nodes.nodes()) {
      if (node.is_named) named += node.name + " ";
    }
    CHECK(named == (*rule == 0 ? "node1 " : "h-0000000000002050 node1 "));
    CHECK_FALSE(nodes.find("localhost"));
  }
  CHECK(NodeRails(fabric).without_name().count == 6);
  CHECK(NodeNameRule().name_of("localhost HCA-1").empty());
  CHECK(NodeNameRule("^([^ ]+)").name_of("localhost HCA-1").empty());
  CHECK(NodeNameRule().name_of(std::string("(none) mlx5_0\0\0", 15)).empty());
  CHECK(NodeNameRule().name_of("Node7.site mlx5_0") == "node7");
}

TEST_CASE("the first word of a name from a node name map is the node") {
  const Fabric fabric = with_adapters({{"MT4119 ConnectX5   Mellanox Technologies"},
                                       {"MT4119 ConnectX5   Mellanox Technologies"},
                                       {"x"},
                                       {"plato9  MT4119 ConnectX5"}});
  const NodeNameMap names{{0x2000, "plato7  MT4119 ConnectX5"},
                          {0x2010, "Plato8.site in rack 4"},
                          {0x2020, "(none) MT4119 ConnectX5"}};
  CHECK(shape(NodeRails(fabric, {}, names)) ==
        Lines{"H2?: 0=H2", "plato7: 0=plato7", "plato8: 0=plato8", "plato9: 0=plato9"});
}

TEST_CASE("a name rule or a node name map determines nodes and rails") {
  const Fabric fabric =
      with_adapters({{"rail 2 of n1"}, {"rail 1 of n1"}, {"rail 1 of n2"}, {"x"}});
  CHECK_FALSE(NodeRails(fabric).find("n1"));
  // The rule has no group 2, so the rest of the description distinguishes the adapters.
  CHECK(shape(NodeRails(fabric, NodeNameRule(" of (.*)$"))) ==
        Lines{"H3?: 0=H3", "n1: 0=n1/rail 1 of 1=n1/rail 2 of", "n2: 0=n2"});
  const NodeNameMap names{{0x2000, "a mlx5_1"}, {0x2010, "a mlx5_0"}, {0x2030, "b mlx5_1"}};
  CHECK(shape(NodeRails(fabric, {}, names)) ==
        Lines{"H2?: 0=H2", "a: 0=a/mlx5_0 1=a/mlx5_1", "b: 1=b"});
  CHECK(shape(NodeRails(fabric, NodeNameRule("^(?:rail )?([0-9x]+)(?: of (n.))?$"))) ==
        Lines{"1: 0=1/n1 1=1/n2", "2: 0=2", "x: 0=x"});
  CHECK_THROWS_AS(NodeNameRule("(a)(b)(c)"), Error);
}

TEST_CASE("NodeRails finds names that are similar to an unknown name") {
  const Fabric fabric = with_adapters({{"node1"}, {"node2"}, {"login-1"}});
  const NodeRails nodes(fabric);
  CHECK(nodes.similar("nod2", 1) == std::vector<std::string>{"node2"});
  CHECK(nodes.similar("zzzzzzzz").empty());
  CHECK(nodes.similar(std::string(10'000, 'n')).empty());
}
