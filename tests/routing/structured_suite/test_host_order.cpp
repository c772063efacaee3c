#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fabric/builder.h"
#include "routing/structured_suite/host_order.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// Hosts with the given descriptions at one switch. Names are H0, H1, ..., and port GUIDs descend.
Fabric one_switch(const std::vector<std::string>& descriptions) {
  FabricBuilder builder;
  const NodeId leaf = builder.add_switch(0x1000, 200, "S0", "");
  Guid guid = 0x2000;
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    const NodeId host = builder.add_adapter(guid += 0x10, 1, EndPortKind::channel_adapter,
                                            "H" + std::to_string(i), descriptions[i]);
    builder.set_port_guid(host, 1, 0x90000 - i);
    builder.connect(leaf, static_cast<PortNumber>(i + 1), host, 1, LinkRate{});
  }
  builder.assign_lids();
  return std::move(builder).build();
}

std::vector<std::string> names(const Fabric& fabric, const std::vector<EndPortId>& hosts) {
  std::vector<std::string> found;
  for (const EndPortId e : hosts) found.push_back(fabric.end_port(e).name);
  return found;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("hosts can be ordered by name, by leaf and by GUID") {
  const Fabric fabric =
      one_switch({"node10 mlx5_0", "node9 mlx5_1", "node9 mlx5_0", "\"odd\"\tname", "", "node9"});
  // The fifth host has no description, so its name counts.
  CHECK(names(fabric, order_hosts(fabric, HostOrderRule::name).hosts) ==
        Names{"H3", "H4", "H5", "H2", "H1", "H0"});
  CHECK(names(fabric, order_hosts(fabric, HostOrderRule::leaf).hosts) ==
        Names{"H0", "H1", "H2", "H3", "H4", "H5"});
  CHECK(names(fabric, order_hosts(fabric, HostOrderRule::guid).hosts) ==
        Names{"H5", "H4", "H3", "H2", "H1", "H0"});
}

TEST_CASE("hosts with equal names are ordered by port GUID") {
  const Fabric same = one_switch({"same", "same", "same"});
  CHECK(names(same, order_hosts(same, HostOrderRule::name).hosts) == Names{"H2", "H1", "H0"});
  const Fabric zeros = one_switch({"n07", "n7", "n6"});
  CHECK(names(zeros, order_hosts(zeros, HostOrderRule::name).hosts) == Names{"H2", "H1", "H0"});
}

TEST_CASE("only hosts with a LID on the largest island are ordered") {
  FabricBuilder builder;
  const NodeId a = builder.add_switch(1, 8, "A", "");
  const NodeId b = builder.add_switch(2, 8, "B", "");
  std::vector<NodeId> hosts;
  for (unsigned i = 0; i < 6; ++i) {
    hosts.push_back(builder.add_adapter(0x100 + 16 * i, 1, EndPortKind::channel_adapter,
                                        "H" + std::to_string(i), ""));
    builder.connect(i < 2 ? a : b, static_cast<PortNumber>(i + 1), hosts[i], 1, LinkRate{});
    if (i != 5) builder.set_lid(hosts[i], 1, i + 10, 0);
  }
  builder.set_lid(a, 0, 1, 0);
  builder.set_lid(b, 0, 2, 0);
  const Fabric fabric = std::move(builder).build();
  const OrderedHosts ordered = order_hosts(fabric, HostOrderRule::name);
  CHECK(names(fabric, ordered.hosts) == Names{"H2", "H3", "H4"});
  CHECK(ordered.without_lid == 1);
  CHECK(ordered.on_other_islands == 2);
  CHECK(order_hosts(fabric, {*fabric.find_end_port(0x101)}).hosts.size() == 1);
}

TEST_CASE("the order by leaf visits switches breadth first") {
  // A line of switches, in which the last switch has the second lowest GUID. The lowest ports of
  // all switches but the first lead back.
  FabricBuilder builder;
  const NodeId a = builder.add_switch(1, 8, "A", "");
  const NodeId last = builder.add_switch(2, 8, "last", "");
  const NodeId third = builder.add_switch(3, 8, "third", "");
  const NodeId second = builder.add_switch(4, 8, "second", "");
  builder.connect(a, 1, second, 1, LinkRate{});
  builder.connect(second, 2, third, 1, LinkRate{});
  builder.connect(third, 2, last, 1, LinkRate{});
  Guid guid = 0x100;
  for (const auto& [at, name] : {std::pair(a, "HA"), {last, "HL"}, {third, "HT"}, {second, "HS"}}) {
    const NodeId host =
        builder.add_adapter(guid += 0x10, 1, EndPortKind::channel_adapter, name, "");
    builder.connect(at, 8, host, 1, LinkRate{});
  }
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  CHECK(names(fabric, order_hosts(fabric, HostOrderRule::leaf).hosts) ==
        Names{"HA", "HS", "HT", "HL"});
}

TEST_CASE("the order of hosts is empty for a fabric without hosts") {
  FabricBuilder builder;
  builder.add_switch(1, 8, "A", "");
  builder.assign_lids();
  const Fabric fabric = std::move(builder).build();
  for (const HostOrderRule rule : {HostOrderRule::name, HostOrderRule::guid, HostOrderRule::leaf}) {
    CHECK(order_hosts(fabric, rule).hosts.empty());
  }
}

TEST_CASE("adapters are grouped by node if two words name the node and the adapter") {
  const Fabric fabric = one_switch({"n1 mlx5_0", "n1 mlx5_1", "n2 HCA-1", "login", "leaf 1 host 1",
                                    "leaf 1 host 2", "n2 HCA-2 "});
  const OrderedHosts ordered = order_hosts(fabric, HostOrderRule::leaf);
  using Groups = std::vector<std::vector<std::uint32_t>>;
  CHECK(group_by_node(fabric, ordered.hosts) == Groups{{0, 1}, {2, 6}, {3}, {4}, {5}});
}
