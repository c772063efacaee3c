#include "tests/evaluator/sample_fabrics.h"

#include <deque>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "fabric/builder.h"

namespace pssp::test {
namespace {

constexpr LinkRate fast{4, 4000};
constexpr LinkRate slow{4, 2000};

NodeId add_host(FabricBuilder& builder, std::uint64_t number, NodeId at, PortNumber port,
                LinkRate rate = fast) {
  const NodeId host =
      builder.add_adapter(0x100000 + 2 * number, 1, EndPortKind::channel_adapter, "", "");
  builder.connect(host, 1, at, port, rate);
  return host;
}

Fabric with_lids(FabricBuilder builder) {
  builder.assign_lids();
  return std::move(builder).build();
}

/// Sets the entries of all switches for one LID along shortest paths; ties are broken at random.
void route_at_random(const Fabric& fabric, Lid lid, ForwardingTables& tables,
                     std::mt19937_64& random) {
  const Delivery delivery = fabric.delivery(lid);
  if (!delivery.at.valid()) return;
  tables.set(delivery.at, lid, delivery.port);
  constexpr int unseen = -1;
  std::vector<int> distance(fabric.switch_count(), unseen);
  std::deque<std::uint32_t> queue{delivery.at.value()};
  distance[delivery.at.value()] = 0;
  for (; !queue.empty(); queue.pop_front()) {
    const std::uint32_t at = queue.front();
    for (std::uint32_t c = fabric.first_channel()[at]; c < fabric.first_channel()[at + 1]; ++c) {
      const std::uint32_t tail = fabric.channel_head()[c];
      const bool is_new = distance[tail] == unseen;
      if (is_new) {
        distance[tail] = distance[at] + 1;
        queue.push_back(tail);
      }
      if (is_new || (distance[tail] == distance[at] + 1 && random() % 2 == 0)) {
        tables.set(SwitchId(tail), lid, fabric.channel_in_port()[c]);
      }
    }
  }
}

ForwardingTables random_shortest_paths(const Fabric& fabric, std::mt19937_64& random) {
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  for (const Lid lid : fabric.lids()) route_at_random(fabric, lid, tables, random);
  return tables;
}

ForwardingTables noise(const Fabric& fabric, std::mt19937_64& random) {
  ForwardingTables tables = random_shortest_paths(fabric, random);
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      if (random() % 8 != 0) continue;
      const auto port = static_cast<unsigned>(random() % 14);
      tables.set(SwitchId(s), lid, port == 13 ? no_port : static_cast<PortNumber>(port));
    }
  }
  return tables;
}

}  // namespace

RoutedFabric cluster_2008_figure_1(bool slow_uplink) {
  constexpr std::uint32_t leaves = 4;
  FabricBuilder builder;
  std::vector<NodeId> leaf;
  std::vector<NodeId> top;
  for (std::uint64_t i = 0; i < leaves; ++i)
    leaf.push_back(builder.add_switch(0x200 + i, 8, "", ""));
  for (std::uint64_t i = 0; i < 2; ++i) top.push_back(builder.add_switch(0x300 + i, 8, "", ""));
  for (std::uint32_t host = 1; host <= 16; ++host) {
    add_host(builder, host, leaf[(host - 1) / 4], static_cast<PortNumber>(1 + (host - 1) % 4));
  }
  for (std::uint32_t l = 0; l < leaves; ++l) {
    for (std::uint32_t cable = 0; cable < 4; ++cable) {
      const bool is_slow = slow_uplink && l == 0 && cable == 1;
      builder.connect(leaf[l], static_cast<PortNumber>(5 + cable), top[cable / 2],
                      static_cast<PortNumber>(1 + 2 * l + cable % 2), is_slow ? slow : fast);
    }
  }
  Fabric fabric = with_lids(std::move(builder));
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  for (const Lid lid : fabric.lids()) {
    const LidOwner owner = fabric.owner(lid);
    if (owner.kind != LidOwner::Kind::end_port) continue;
    const std::uint32_t host = owner.index + 1;
    const std::uint32_t own_leaf = (host - 1) / 4;
    const std::uint32_t cable = host % 4;
    for (std::uint32_t l = 0; l < leaves; ++l) {
      tables.set(SwitchId(l), lid, static_cast<PortNumber>(5 + cable));
    }
    tables.set(SwitchId(own_leaf), lid, static_cast<PortNumber>(1 + (host - 1) % 4));
    tables.set(SwitchId(leaves + cable / 2), lid,
               static_cast<PortNumber>(1 + 2 * own_leaf + cable % 2));
  }
  return {std::move(fabric), std::move(tables)};
}

std::uint32_t figure_1_rank(std::uint32_t host) { return host - 1; }

RoutedFabric chain(std::uint32_t switches) {
  FabricBuilder builder;
  std::vector<NodeId> node;
  for (std::uint32_t i = 0; i < switches; ++i) {
    node.push_back(builder.add_switch(0x200 + i, 3, "", ""));
    add_host(builder, i, node.back(), 3);
    if (i != 0) builder.connect(node[i - 1], 2, node[i], 1, fast);
  }
  return route_along_shortest_paths(with_lids(std::move(builder)));
}

RoutedFabric clockwise_ring() {
  FabricBuilder builder;
  std::vector<NodeId> node;
  for (std::uint64_t i = 0; i < 3; ++i) node.push_back(builder.add_switch(0x200 + i, 3, "", ""));
  for (std::uint64_t i = 0; i < 3; ++i) {
    const NodeId host =
        builder.add_adapter(0x100000 + 2 * i, 1, EndPortKind::channel_adapter, "", "");
    builder.connect(host, 1, node[i], 3, {});
    builder.connect(node[i], 1, node[(i + 1) % 3], 2, {});
  }
  builder.assign_lids();
  Fabric fabric = std::move(builder).build();
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  for (const Lid lid : fabric.lids()) {
    for (std::uint32_t s = 0; s < 3; ++s) tables.set(SwitchId(s), lid, 1);
    tables.set(fabric.delivery(lid).at, lid, fabric.delivery(lid).port);
  }
  return {std::move(fabric), std::move(tables)};
}

RoutedFabric single_switch(std::uint32_t hosts) {
  FabricBuilder builder;
  const NodeId node = builder.add_switch(0x200, 254, "", "");
  for (std::uint32_t i = 0; i < hosts; ++i) {
    add_host(builder, i, node, static_cast<PortNumber>(1 + i));
  }
  return route_along_shortest_paths(with_lids(std::move(builder)));
}

RoutedFabric route_along_shortest_paths(Fabric fabric, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ForwardingTables tables = random_shortest_paths(fabric, random);
  return {std::move(fabric), std::move(tables)};
}

RoutedFabric random_fabric(std::uint64_t seed, RandomTables kind, bool equal_rates) {
  std::mt19937_64 random(seed);
  const auto rate = [&] { return equal_rates || random() % 3 != 0 ? fast : slow; };
  FabricBuilder builder;
  const std::uint64_t switches = 2 + random() % 8;
  std::vector<NodeId> node;
  std::vector<unsigned> used;
  for (std::uint64_t i = 0; i < switches; ++i) {
    node.push_back(builder.add_switch(0x200 + i, 12, "", ""));
    used.push_back(0);
  }
  const auto plug = [&](std::uint64_t a, std::uint64_t b) {
    if (a == b || used[a] >= 8 || used[b] >= 8) return;
    builder.connect(node[a], static_cast<PortNumber>(++used[a]), node[b],
                    static_cast<PortNumber>(++used[b]), rate());
  };
  for (std::uint64_t i = 1; i < switches; ++i) plug(random() % i, i);
  for (std::uint64_t i = 0; i < 2 * switches; ++i) {
    const std::uint64_t a = random() % switches;
    plug(a, random() % switches);
  }
  for (std::uint64_t i = 0; i < 2 * switches + random() % 3; ++i) {
    const std::uint64_t at = random() % switches;
    if (used[at] < 12) add_host(builder, i, node[at], static_cast<PortNumber>(++used[at]), rate());
  }
  builder.add_adapter(0x500000, 1, EndPortKind::channel_adapter, "", "no cable");
  if (used[0] < 12) {
    const NodeId extra = builder.add_adapter(0x600000, 1, EndPortKind::aggregation_node, "", "");
    builder.connect(extra, 1, node[0], static_cast<PortNumber>(++used[0]), fast);
  }
  Fabric fabric = with_lids(std::move(builder));
  ForwardingTables tables =
      kind == RandomTables::noise ? noise(fabric, random) : random_shortest_paths(fabric, random);
  return {std::move(fabric), std::move(tables)};
}

CableLoads no_loads(const Fabric& fabric) {
  CableLoads loads;
  loads.channels.resize(fabric.channel_count());
  loads.sent.resize(fabric.endpoints().size());
  loads.received.resize(fabric.endpoints().size());
  return loads;
}

}  // namespace pssp::test
