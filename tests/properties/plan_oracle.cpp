#include "tests/properties/plan_oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>

namespace pssp::test {

PlanOracle::PlanOracle(const RandomPlan& plan, const Fabric& fabric)
    : plan_(plan), fabric_(fabric), island_(plan.nodes.size()) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(plan.nodes.size());
  for (const PlannedCable& cable : plan.cables) {
    far_end_.emplace(cable.a, cable.b);
    far_end_.emplace(cable.b, cable.a);
    if (plan.nodes[cable.a.node].is_switch && plan.nodes[cable.b.node].is_switch)
      boost::add_edge(cable.a.node, cable.b.node, graph);
  }
  boost::connected_components(graph, island_.data());
  for (const PlannedLids& lids : plan.lids) {
    Goal goal;
    if (plan.nodes[lids.owner.node].is_switch) {
      goal = {lids.owner.node, 0, true};
    } else if (const auto far = far_end_.find(lids.owner);
               far != far_end_.end() && plan.nodes[far->second.node].is_switch) {
      goal = {far->second.node, far->second.port, false};
    }
    for (unsigned lid = lids.first; lid < lids.first + (1U << lids.lmc); ++lid)
      goals_.emplace(static_cast<Lid>(lid), goal);
  }
}

bool PlanOracle::arrives(const ForwardingTables& tables, std::size_t from, Lid lid,
                         const Goal& goal) const {
  std::size_t at = from;
  for (std::size_t steps = 0; steps <= plan_.nodes.size(); ++steps) {
    const PortNumber port = tables.at(*fabric_.find_switch(plan_.nodes[at].guid), lid);
    if (at == goal.node && port == goal.port) return true;
    const auto far = far_end_.find({at, port});
    if (far == far_end_.end() || !plan_.nodes[far->second.node].is_switch) return false;
    at = far->second.node;
  }
  return false;
}

std::string PlanOracle::find_fault(const ForwardingTables& tables) const {
  for (std::size_t s = 0; s < plan_.nodes.size(); ++s) {
    if (!plan_.nodes[s].is_switch) continue;
    const SwitchId id = *fabric_.find_switch(plan_.nodes[s].guid);
    for (unsigned lid = 0; lid <= tables.max_lid(); ++lid) {
      const auto goal = goals_.find(static_cast<Lid>(lid));
      const bool wanted = goal != goals_.end() && joined(s, goal->second);
      if (!wanted && tables.at(id, static_cast<Lid>(lid)) != no_port)
        return fmt::format("switch {} has an entry for LID {}, which it cannot reach", s, lid);
      if (wanted && !arrives(tables, s, static_cast<Lid>(lid), goal->second))
        return fmt::format("switch {} has no route to LID {}, which it could reach", s, lid);
    }
  }
  return {};
}

std::uint64_t PlanOracle::separated_pairs() const {
  const auto has_lid = [&](const auto& port) {
    return std::ranges::any_of(plan_.lids, [&](const PlannedLids& lids) {
      return lids.owner.node == port.node && lids.owner.port == port.port;
    });
  };
  std::uint64_t pairs = 0;
  for (const PlannedCable& cable : plan_.cables) {
    for (const auto& [near, far] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)}) {
      if (plan_.nodes[near.node].is_switch || !plan_.nodes[far.node].is_switch) continue;
      // A port without a LID sends no traffic, because it could not receive replies.
      if (!has_lid(near)) continue;
      for (const auto& [lid, goal] : goals_) {
        if (!goal.of_switch && goal.node != none && !joined(far.node, goal)) ++pairs;
      }
    }
  }
  return pairs;
}

}  // namespace pssp::test
