#pragma once

// Slow but simple reference implementations for the tests of routing/deadlock/.

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/topological_sort.hpp>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"
#include "tests/fabric/tables/route_walk.h"

namespace pssp::test {

using Route = std::vector<std::uint32_t>;  // channels

/// True if the dependencies of the routes have no cycle, according to Boost.Graph.
inline bool is_acyclic(const Fabric& fabric, const std::vector<Route>& routes) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const Route& route : routes) {
    for (std::size_t i = 1; i < route.size(); ++i) edges.emplace(route[i - 1], route[i]);
  }
  const boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(
      edges.begin(), edges.end(), fabric.channel_count());
  std::vector<std::size_t> order;
  try {
    boost::topological_sort(graph, std::back_inserter(order));
  } catch (const boost::not_a_dag&) {
    return false;
  }
  return true;
}

/// Calls visit(source switch, LID, route) for each route that arrives, from each switch with a port
/// that can send.
inline void for_each_route(const Fabric& fabric, const ForwardingTables& tables, bool switch_ports,
                           const std::function<void(SwitchId, Lid, const Route&)>& visit) {
  for (const Lid lid : fabric.lids()) {
    const bool to_switch = fabric.owner(lid).kind == LidOwner::Kind::switch_port0;
    if (!fabric.delivery(lid).at.valid() || (to_switch && !switch_ports)) continue;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      // A port without a LID sends no traffic, because it could not receive replies.
      const auto has_lid = [&](EndPortId port) { return fabric.end_port(port).lid != no_lid; };
      const bool has_senders = std::ranges::any_of(fabric.end_ports_of(SwitchId(s)), has_lid);
      if (!has_senders && (to_switch || !switch_ports)) continue;
      if (const auto route = walk(fabric, tables, SwitchId(s), lid))
        visit(SwitchId(s), lid, *route);
    }
  }
}

/// Routes by service level.
inline std::vector<std::vector<Route>> routes_by_level(const Fabric& fabric,
                                                       const ForwardingTables& tables,
                                                       const ServiceLevels& levels,
                                                       bool switch_ports) {
  std::vector<std::vector<Route>> routes(service_level_count);
  for_each_route(fabric, tables, switch_ports, [&](SwitchId s, Lid lid, const Route& route) {
    routes.at(levels.at(s, lid)).push_back(route);
  });
  return routes;
}

/// True if the routes fit on `lanes` lanes, by exhaustive search.
inline bool fits(const Fabric& fabric, const std::vector<Route>& routes, std::size_t lanes) {
  std::vector<std::vector<Route>> of_lane(lanes);
  const std::function<bool(std::size_t)> place = [&](std::size_t i) {
    if (i == routes.size()) return true;
    for (std::vector<Route>& lane : of_lane) {
      const bool was_empty = lane.empty();
      lane.push_back(routes[i]);
      if (is_acyclic(fabric, lane) && place(i + 1)) return true;
      lane.pop_back();
      if (was_empty) break;  // the other empty lanes are equivalent
    }
    return false;
  };
  return place(0);
}

}  // namespace pssp::test
