#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fabric/builder.h"
#include "fabric/formats/node_types_file.h"
#include "routing/structured_suite/host_order.h"
#include "routing/structured_suite/node_type_source.h"
#include "routing/structured_suite/servers.h"

using namespace pssp;

namespace {

/// A row of switches with hosts of these names.
Fabric row(const std::vector<std::vector<std::string>>& switches, bool with_aggregation = false,
           const std::string& node_types = "") {
  FabricBuilder builder;
  NodeId last;
  Guid guid = 0x1000;
  for (const auto& names : switches) {
    const NodeId here = builder.add_switch(guid++ << 8U, 60, "", "");
    if (last.valid()) builder.connect(last, 60, here, 59, LinkRate{});
    last = here;
    PortNumber port = 0;
    const auto add = [&](const std::string& name, EndPortKind type) {
      const NodeId host = builder.add_adapter(guid++ << 8U, 1, type, "", name);
      builder.connect(here, ++port, host, 1, LinkRate{});
    };
    for (const std::string& name : names) add(name, EndPortKind::channel_adapter);
    if (with_aggregation)
      add("Mellanox Technologies Aggregation Node", EndPortKind::aggregation_node);
  }
  builder.assign_lids();
  apply_node_types(parse_node_types(node_types, "node_types"), UnknownHosts::refused, builder);
  return std::move(builder).build();
}

/// Names of the servers, in the order of names.
std::vector<std::string> servers_of(const Fabric& fabric) {
  const std::vector<EndPortId> hosts = order_hosts(fabric, HostOrderRule::name).hosts;
  const ServersAndNodes found = find_servers(fabric, hosts);
  CHECK(found.servers.size() + found.nodes.size() == hosts.size());
  std::vector<std::string> names;
  for (const std::uint32_t i : found.servers) {
    names.push_back(fabric.end_port(hosts[i]).description);
  }
  return names;
}

using Names = std::vector<std::string>;

/// Number of node types of the hosts.
std::size_t types_in(const Fabric& fabric) {
  const NodeTypesOfHosts node_types = find_node_types(fabric, NodeTypeSource::by_name);
  std::vector<std::uint32_t> seen;
  for (const EndPortId e : fabric.endpoints()) seen.push_back(node_types.of[e.value()]);
  std::sort(seen.begin(), seen.end());
  return static_cast<std::size_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
}

}  // namespace

TEST_CASE("servers are hosts of less common node types that share switches with other hosts") {
  CHECK(servers_of(row({{"n1", "n2", "oss1"}, {"n3", "n4", "login1"}})) == Names{"login1", "oss1"});
  // All hosts of such a node type are servers, even if no other host shares their switch.
  CHECK(servers_of(row({{"n1", "n2", "n3", "oss1"}, {"oss2", "oss3"}})) ==
        Names{"oss1", "oss2", "oss3"});
  // All adapters of a node have the same node type.
  CHECK(servers_of(row({{"n1 mlx5_0", "n1 mlx5_1", "io1 mlx5_0"}})) == Names{"io1 mlx5_0"});
}

TEST_CASE("racks whose hosts have their own naming scheme are not servers") {
  // Hosts of different racks share no switch, so the last host of each switch with several hosts is
  // a server.
  const Fabric racks = row({{"a1", "a2"}, {"b1", "b2"}, {"c1"}});
  CHECK(servers_of(racks) == Names{"a2", "b2"});
  CHECK(types_in(racks) == 1);
  CHECK(servers_of(row({{"a1", "a2", "a3"}, {"a4", "oss1"}, {"b1", "b2"}})) == Names{"oss1"});
}

TEST_CASE("node types from a file override names") {
  // The names do not differ in type here.
  CHECK(servers_of(row({{"h1", "h2", "h3"}, {"h4", "h5", "h6"}}, false, "io h[3,6]")) ==
        Names{"h3", "h6"});
  // Servers that the file names need not share a switch with nodes.
  CHECK(servers_of(row({{"n1", "n2", "n3"}, {"oss1", "oss2"}}, false, "io oss[1-2]")) ==
        Names{"oss1", "oss2"});
  // Hosts with different names have the same node type if the file says so.
  CHECK(servers_of(row({{"n1", "n2", "gpu1", "io1"}}, false, "compute n[1-2] gpu1")) ==
        Names{"io1"});
  CHECK(types_in(row({{"n1", "n2", "gpu1"}}, false, "compute n[1-2] gpu1")) == 1);
}

TEST_CASE("aggregation nodes do not turn racks into node types") {
  const Fabric racks = row({{"a1", "a2"}, {"b1", "b2"}}, true);
  CHECK(types_in(racks) == 1);
  CHECK(servers_of(racks) == Names{"a2", "b2"});
}

TEST_CASE("fewer than two hosts have no servers") {
  const ServersAndNodes none = find_servers(row({{"a1"}}), {});
  CHECK(none.servers.empty());
  CHECK(none.nodes.empty());
  CHECK(servers_of(row({{"a1"}})).empty());
}
