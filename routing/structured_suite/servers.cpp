#include "routing/structured_suite/servers.h"

#include <algorithm>
#include <cstddef>

#include "routing/structured_suite/node_type_source.h"

namespace pssp {
namespace {

/// The most frequent node type of hosts; if several are equally frequent, that of the first host.
std::uint32_t usual_type(const NodeTypesOfHosts& node_types, const std::vector<EndPortId>& hosts) {
  std::vector<std::size_t> hosts_of(node_types.count, 0);
  for (const EndPortId e : hosts) ++hosts_of[node_types.of[e.value()]];
  std::uint32_t usual = node_types.of[hosts.front().value()];
  for (const EndPortId e : hosts) {
    const std::uint32_t type = node_types.of[e.value()];
    if (hosts_of[type] > hosts_of[usual]) usual = type;
  }
  return usual;
}

/// By position, whether the node type of the host identifies servers.
std::vector<std::uint8_t> serving_by_type(const Fabric& fabric,
                                          const std::vector<EndPortId>& hosts) {
  const NodeTypesOfHosts node_types = find_node_types(fabric, NodeTypeSource::by_name);
  const std::uint32_t usual = usual_type(node_types, hosts);
  std::vector<std::uint8_t> has_usual(fabric.switch_count(), 0);
  for (const EndPortId e : hosts) {
    if (node_types.of[e.value()] == usual) has_usual[fabric.end_port(e).attached.value()] = 1;
  }
  std::vector<std::uint8_t> serves(node_types.count, 0);
  for (const EndPortId e : hosts) {
    if (has_usual[fabric.end_port(e).attached.value()] != 0) serves[node_types.of[e.value()]] = 1;
  }
  for (std::uint32_t type = 0; type < node_types.count; ++type)
    serves[type] |= node_types.is_configured[type];
  serves[usual] = 0;
  std::vector<std::uint8_t> serving(hosts.size());
  std::ranges::transform(hosts, serving.begin(),
                         [&](EndPortId e) { return serves[node_types.of[e.value()]]; });
  return serving;
}

/// By position, whether the host is the last of several hosts on its switch.
std::vector<std::uint8_t> serving_by_position(const Fabric& fabric,
                                              const std::vector<EndPortId>& hosts) {
  std::vector<std::size_t> left(fabric.switch_count(), 0);
  for (const EndPortId e : hosts) ++left[fabric.end_port(e).attached.value()];
  const std::vector<std::size_t> all = left;
  std::vector<std::uint8_t> serving;
  for (const EndPortId e : hosts) {
    const std::uint32_t s = fabric.end_port(e).attached.value();
    serving.push_back(--left[s] == 0 && all[s] > 1 ? 1 : 0);
  }
  return serving;
}

}  // namespace

ServersAndNodes find_servers(const Fabric& fabric, const std::vector<EndPortId>& hosts) {
  ServersAndNodes found;
  if (hosts.empty()) return found;
  std::vector<std::uint8_t> serving = serving_by_type(fabric, hosts);
  found.by_type = std::ranges::any_of(serving, [](auto each) { return each != 0; });
  if (!found.by_type) serving = serving_by_position(fabric, hosts);
  for (std::uint32_t i = 0; i < hosts.size(); ++i) {
    (serving[i] != 0 ? found.servers : found.nodes).push_back(i);
  }
  return found;
}

}  // namespace pssp
