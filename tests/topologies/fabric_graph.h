#pragma once

// Properties of fabrics for the tests, computed with Boost.Graph.

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fabric/fabric.h"

namespace pssp::test {

using SwitchGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

/// Switches and the links between them, parallel links included.
inline SwitchGraph switch_graph(const Fabric& fabric) {
  SwitchGraph graph(fabric.switch_count());
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    if (c < fabric.channel_reverse()[c]) {
      boost::add_edge(fabric.channel_tail()[c], fabric.channel_head()[c], graph);
    }
  }
  return graph;
}

inline std::size_t link_count(const Fabric& fabric) { return fabric.channel_count() / 2; }

/// Distances from a switch in hops; unreached switches have -1.
inline std::vector<int> distances(const SwitchGraph& graph, std::size_t from) {
  std::vector<int> distance(boost::num_vertices(graph), -1);
  distance[from] = 0;
  boost::breadth_first_search(graph, from,
                              boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                  distance.data(), boost::on_tree_edge()))));
  return distance;
}

/// Number of switches of each degree (links to switches).
inline std::map<std::size_t, std::size_t> degrees(const Fabric& fabric) {
  const SwitchGraph graph = switch_graph(fabric);
  std::map<std::size_t, std::size_t> count;
  for (std::size_t s = 0; s < fabric.switch_count(); ++s) ++count[boost::out_degree(s, graph)];
  return count;
}

/// Number of switches with each number of hosts.
inline std::map<std::size_t, std::size_t> hosts_per_switch(const Fabric& fabric) {
  std::map<std::size_t, std::size_t> count;
  for (const std::uint32_t hosts : fabric.endpoints_per_switch()) ++count[hosts];
  return count;
}

inline std::size_t islands(const Fabric& fabric) {
  const SwitchGraph graph = switch_graph(fabric);
  std::vector<std::size_t> component(fabric.switch_count());
  return static_cast<std::size_t>(boost::connected_components(graph, component.data()));
}

/// Largest distance between two switches in hops; with `hosts_only`, only between switches with
/// hosts.
inline int diameter(const Fabric& fabric, bool hosts_only = false) {
  const auto counts = [&fabric, hosts_only](std::size_t s) {
    return !hosts_only || fabric.endpoints_per_switch()[s] > 0;
  };
  const SwitchGraph graph = switch_graph(fabric);
  int longest = 0;
  for (std::size_t a = 0; a < fabric.switch_count(); ++a) {
    if (!counts(a)) continue;
    const std::vector<int> hops = distances(graph, a);
    for (std::size_t b = 0; b < fabric.switch_count(); ++b) {
      if (counts(b)) longest = std::max(longest, hops[b]);
    }
  }
  return longest;
}

inline int diameter_between_hosts(const Fabric& fabric) { return diameter(fabric, true); }

inline bool has_parallel_links(const Fabric& fabric) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    if (!seen.emplace(fabric.channel_tail()[c], fabric.channel_head()[c]).second) return true;
  }
  return false;
}

/// Channels from switches whose descriptions begin with `a` to switches whose descriptions begin
/// with `b`. Equals the number of links if the two sets of switches have no common switch.
inline std::size_t links_between(const Fabric& fabric, const std::string& a, const std::string& b) {
  const auto begins = [&fabric](std::uint32_t s, const std::string& prefix) {
    return fabric.switches()[s].description.rfind(prefix, 0) == 0;
  };
  std::size_t links = 0;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    if (begins(fabric.channel_tail()[c], a) && begins(fabric.channel_head()[c], b)) ++links;
  }
  return links;
}

inline std::size_t switches_called(const Fabric& fabric, const std::string& prefix) {
  return static_cast<std::size_t>(
      std::count_if(fabric.switches().begin(), fabric.switches().end(),
                    [&prefix](const Switch& s) { return s.description.rfind(prefix, 0) == 0; }));
}

inline std::size_t hosts_called(const Fabric& fabric, const std::string& prefix) {
  return static_cast<std::size_t>(
      std::count_if(fabric.end_ports().begin(), fabric.end_ports().end(),
                    [&prefix](const EndPort& e) { return e.description.rfind(prefix, 0) == 0; }));
}

/// Properties of the switches, end ports and channels as text, to compare two fabrics.
inline std::string fingerprint(const Fabric& fabric) {
  std::string text;
  for (const Switch& s : fabric.switches()) {
    text += std::to_string(s.guid) + ' ' + s.name + ' ' + s.description + ' ' +
            std::to_string(s.ports) + ' ' + std::to_string(s.lid) + '\n';
  }
  for (const EndPort& e : fabric.end_ports()) {
    text += std::to_string(e.port_guid) + ' ' + e.name + ' ' + e.description + ' ' +
            std::to_string(e.attached.value()) + ' ' + std::to_string(e.switch_port) + ' ' +
            std::to_string(e.lid) + ' ' + std::to_string(e.lmc) + ' ' + to_string(e.rate) + '\n';
  }
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c)
    text += fabric.channel_label(ChannelId(c)) + '\n';
  return text;
}

}  // namespace pssp::test
