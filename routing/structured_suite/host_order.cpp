// Applications see hosts as ranks, and most batch systems assign ranks in the order of host names.
// For applications, neighboring hosts are therefore neighbors in the order of names, not of GUIDs
// or cabling.

#include "routing/structured_suite/host_order.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "base/no_index.h"
#include "fabric/nodes/node_description.h"
#include "fabric/paths/islands.h"

namespace pssp {
namespace {

/// Switches of all islands, each in breadth-first order from its lowest SwitchId.
std::vector<std::uint32_t> breadth_first(const Fabric& fabric) {
  std::vector<std::uint8_t> seen(fabric.switch_count(), 0);
  std::vector<std::uint32_t> order;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (seen[s] != 0) continue;
    seen[s] = 1;
    order.push_back(s);
    for (std::size_t i = order.size() - 1; i < order.size(); ++i) {
      const std::uint32_t at = order[i];
      for (std::uint32_t c = fabric.first_channel()[at]; c < fabric.first_channel()[at + 1]; ++c) {
        const std::uint32_t next = fabric.channel_head()[c];
        if (seen[next] != 0) continue;
        seen[next] = 1;
        order.push_back(next);
      }
    }
  }
  return order;
}

std::vector<EndPortId> endpoints_by_leaf(const Fabric& fabric) {
  std::vector<EndPortId> hosts;
  for (const std::uint32_t s : breadth_first(fabric)) {
    for (const EndPortId e : fabric.end_ports_of(SwitchId(s))) {
      if (fabric.is_endpoint(e)) hosts.push_back(e);
    }
  }
  return hosts;
}

std::vector<EndPortId> all_hosts(const Fabric& fabric, HostOrderRule rule) {
  if (rule == HostOrderRule::leaf) return endpoints_by_leaf(fabric);
  std::vector<EndPortId> hosts(fabric.endpoints().begin(), fabric.endpoints().end());
  std::vector<std::string_view> names(fabric.end_port_count());
  if (rule == HostOrderRule::name) {
    for (const EndPortId e : hosts) names[e.value()] = telling_name(fabric.end_port(e));
  }
  std::sort(hosts.begin(), hosts.end(), [&](EndPortId a, EndPortId b) {
    const int order = compare_with_numbers(names[a.value()], names[b.value()]);
    if (order != 0) return order < 0;
    return fabric.end_port(a).port_guid < fabric.end_port(b).port_guid;
  });
  return hosts;
}

}  // namespace

OrderedHosts order_hosts(const Fabric& fabric, const std::vector<EndPortId>& chosen) {
  OrderedHosts ordered;
  const std::vector<std::uint32_t> island = islands(fabric);
  const auto island_of = [&](EndPortId e) { return island[fabric.end_port(e).attached.value()]; };
  std::vector<std::size_t> hosts_on(fabric.switch_count() + 1, 0);
  std::vector<EndPortId> routable;
  for (const EndPortId e : chosen) {
    if (fabric.end_port(e).lid == no_lid) {
      ++ordered.without_lid;
      continue;
    }
    routable.push_back(e);
    ++hosts_on[island_of(e)];
  }
  const auto largest = static_cast<std::size_t>(std::max_element(hosts_on.begin(), hosts_on.end()) -
                                                hosts_on.begin());
  for (const EndPortId e : routable) {
    if (island_of(e) == largest) {
      ordered.hosts.push_back(e);
    } else {
      ++ordered.on_other_islands;
    }
  }
  return ordered;
}

OrderedHosts order_hosts(const Fabric& fabric, HostOrderRule rule) {
  OrderedHosts ordered = order_hosts(fabric, all_hosts(fabric, rule));
  // If other hosts have LIDs, hosts without a LID are not endpoints and were not counted above.
  ordered.without_lid += fabric.endpoints_without_lid();
  return ordered;
}

std::vector<std::vector<std::uint32_t>> group_by_node(const Fabric& fabric,
                                                      const std::vector<EndPortId>& hosts) {
  std::vector<std::vector<std::uint32_t>> nodes;
  std::unordered_map<std::string_view, std::size_t> node_of_word;
  for (std::uint32_t i = 0; i < hosts.size(); ++i) {
    const auto words = node_and_adapter(telling_name(fabric.end_port(hosts[i])));
    const std::size_t node =
        words ? node_of_word.try_emplace(words->node, nodes.size()).first->second : nodes.size();
    if (node == nodes.size()) nodes.emplace_back();
    nodes[node].push_back(i);
  }
  return nodes;
}

}  // namespace pssp
