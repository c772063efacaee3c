// The cable of a host is used by every job of this host. Between switches, the search starts at
// each leaf of a job and follows the tables to each host of the job whose LID leaves through the
// channel, until it meets the channel. The first such path is sufficient.

#include "monitor/analysis/jobs_on_links.h"

#include <algorithm>
#include <array>
#include <set>

namespace pssp {
namespace {

constexpr unsigned most_path_hops = 64;

bool is_switch_node(const FabricMap& map, std::uint32_t node) {
  return map.nodes[node].kind == NodeKind::switch_node;
}

PortNumber exit_of(const LiveTables& tables, std::uint32_t node, Lid lid) {
  if (node >= tables.by_node.size() || lid >= tables.by_node[node].size()) return no_port;
  return tables.by_node[node][lid];
}

/// Cabled ports of the adapters of a job.
std::vector<std::uint32_t> host_ports(const FabricMap& map, const RunningJob& job) {
  std::vector<std::uint32_t> ports;
  for (const std::uint32_t node : job.nodes) {
    for (std::uint32_t i = 0; i < map.nodes[node].ports; ++i) {
      const std::uint32_t port = map.nodes[node].first_port + i;
      if (map.ports[port].peer != MapPort::no_peer) ports.push_back(port);
    }
  }
  return ports;
}

bool path_has_channel(const FabricMap& map, const LiveTables& tables, std::uint32_t node, Lid to,
                      std::uint32_t channel) {
  for (unsigned hop = 0; hop < most_path_hops && is_switch_node(map, node); ++hop) {
    const PortNumber out = exit_of(tables, node, to);
    if (out == no_port || out == 0 || out > map.nodes[node].ports) return false;
    const std::uint32_t port = map.nodes[node].first_port + out - 1U;
    if (port == channel) return true;
    if (map.ports[port].peer == MapPort::no_peer) return false;
    node = map.ports[map.ports[port].peer].node;
  }
  return false;
}

bool sends_over(const FabricMap& map, const LiveTables& tables,
                const std::vector<std::uint32_t>& hosts, std::uint32_t channel) {
  std::set<std::uint32_t> leaves;
  for (const std::uint32_t host : hosts) leaves.insert(map.ports[map.ports[host].peer].node);
  const MapPort& exit = map.ports[channel];
  return std::ranges::any_of(hosts, [&](std::uint32_t to) {
    const Lid lid = map.ports[to].lid;
    if (exit_of(tables, exit.node, lid) != exit.number) return false;
    return std::ranges::any_of(leaves, [&](std::uint32_t leaf) {
      return path_has_channel(map, tables, leaf, lid, channel);
    });
  });
}

}  // namespace

std::vector<std::string> jobs_on_cable(const FabricMap& map, std::uint32_t port,
                                       const LiveTables* tables,
                                       const std::vector<RunningJob>& jobs) {
  const std::array ends{port, map.ports[port].peer};
  const auto is_host = [&](std::uint32_t end) {
    return end != MapPort::no_peer && !is_switch_node(map, map.ports[end].node);
  };
  const auto host = std::ranges::find_if(ends, is_host);
  std::vector<std::string> ids;
  for (const RunningJob& job : jobs) {
    bool uses = false;
    if (host != ends.end()) {
      uses = std::ranges::binary_search(job.nodes, map.ports[*host].node);
    } else if (tables != nullptr && ends[1] != MapPort::no_peer) {
      const std::vector<std::uint32_t> hosts = host_ports(map, job);
      uses = std::ranges::any_of(
          ends, [&](std::uint32_t channel) { return sends_over(map, *tables, hosts, channel); });
    }
    if (uses) ids.push_back(job.id);
  }
  return ids;
}

}  // namespace pssp
