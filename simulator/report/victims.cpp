// A victim waits at a port for credits, because packets for other destinations fill the next
// buffer. So the search starts at the port of its route that was blocked longest, and continues
// with the longest-blocked next port of the flows through it, until a port was congested longer
// than blocked: this port is the root, and the flows through it are the contributors.

#include "simulator/report/victims.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace pssp {
namespace {

class CongestionTrees {
 public:
  CongestionTrees(const Fabric& fabric, const ForwardingTables& tables, const Traffic& traffic,
                  const Model& model, const Outcome& outcome)
      : ports_(fabric, model), outcome_(outcome) {
    for (std::size_t i = 0; i < outcome.flows.size(); ++i) {
      const std::uint16_t path =
          i < traffic.flows.size() ? traffic.flows[i].path : std::uint16_t{0};
      routes_.push_back(ports_.route(tables, outcome.flows[i].hosts, path));
    }
  }

  std::vector<std::uint32_t> tree_of(std::size_t flow) const {
    std::vector<std::uint32_t> tree;
    if (routes_[flow].empty()) return tree;
    std::uint32_t at = *std::ranges::max_element(routes_[flow], {},
                                                 [&](std::uint32_t port) { return held_up(port); });
    if (held_up(at) == 0) return tree;
    tree.push_back(at);
    while (outcome_.ports[at].blocked > 0) {
      const auto next = worst_behind(at);
      if (!next || std::ranges::count(tree, *next) != 0) break;
      at = *next;
      tree.push_back(at);
    }
    return tree;
  }

  std::vector<std::size_t> flows_over(std::uint32_t port, std::size_t but) const {
    std::vector<std::size_t> flows;
    for (std::size_t i = 0; i < routes_.size(); ++i) {
      if (i != but && std::ranges::count(routes_[i], port) != 0) flows.push_back(i);
    }
    std::ranges::stable_sort(flows, std::ranges::greater{}, [&](std::size_t flow) {
      return outcome_.flows[flow].delivered_bytes;
    });
    return flows;
  }

 private:
  SimulatedTime held_up(std::uint32_t port) const {
    return std::max(outcome_.ports[port].blocked, outcome_.ports[port].congested);
  }

  /// The next port after this one, among those of its flows, that was blocked longest; without
  /// blocked ports, the one with the highest utilization. (Without congestion control no port
  /// counts as congested, and the root is the busiest port.)
  std::optional<std::uint32_t> worst_behind(std::uint32_t port) const {
    std::optional<std::uint32_t> worst;
    for (const std::vector<std::uint32_t>& route : routes_) {
      const auto here = std::ranges::find(route, port);
      if (here == route.end() || here + 1 == route.end()) continue;
      const std::uint32_t next = *(here + 1);
      if (!worst || rank_of(next) > rank_of(*worst)) worst = next;
    }
    return worst;
  }

  std::pair<SimulatedTime, double> rank_of(std::uint32_t port) const {
    return {held_up(port),
            static_cast<double>(outcome_.ports[port].sent_bytes) / ports_.rate(port)};
  }

  PortDirectory ports_;
  const Outcome& outcome_;
  std::vector<std::vector<std::uint32_t>> routes_;
};

/// The rate relative to the fair share; 1 if unknown.
double part_of_fair(const FlowSummary& flow) {
  return flow.fair_share && *flow.fair_share > 0 ? flow.share / *flow.fair_share : 1;
}

}  // namespace

std::vector<Victim> find_victims(const Fabric& fabric, const ForwardingTables& tables,
                                 const Traffic& traffic, const Model& model, const Outcome& outcome,
                                 const RunSummary& summary, std::size_t most) {
  constexpr double hurt_below = 0.5;
  std::vector<Victim> victims;
  for (std::size_t i = 0; i < summary.flows.size(); ++i) {
    if (!summary.flows[i].measured) continue;
    if (!summary.flows[i].victim && part_of_fair(summary.flows[i]) >= hurt_below) continue;
    victims.push_back({i, {}, {}});
  }
  std::ranges::stable_sort(
      victims, {}, [&](const Victim& each) { return part_of_fair(summary.flows[each.flow]); });
  if (victims.size() > most) victims.resize(most);
  if (victims.empty()) return victims;
  const CongestionTrees trees(fabric, tables, traffic, model, outcome);
  for (Victim& victim : victims) {
    victim.tree = trees.tree_of(victim.flow);
    if (!victim.tree.empty()) {
      victim.contributors = trees.flows_over(victim.tree.back(), victim.flow);
    }
  }
  return victims;
}

std::optional<Hold> hold_at(std::uint32_t root, std::size_t contributors, double packet_ns,
                            std::uint8_t level, const Model& model,
                            const CongestionParameters& congestion) {
  const SwitchCongestionParameters& switches = congestion.switches;
  const auto sets = [&](std::uint32_t component) {
    return (switches.control_map & component) != 0;
  };
  const bool marks = sets(switch_component::threshold_and_packet_size) && switches.threshold != 0;
  const AdapterSlParameters& adapter = congestion.adapters.sl[level];
  const bool answers = (congestion.adapters.control_map >> level & 1U) != 0;
  if (!marks || !answers) return std::nullopt;
  const std::uint32_t rate =
      sets(switch_component::marking_rate) ? std::uint32_t{switches.marking_rate} : 0;
  const std::uint32_t step =
      model.marking == Marking::unmarked_between ? rate + 1 : std::max(1U, rate);
  return Hold{root, contributors, step, step * static_cast<double>(contributors) * packet_ns,
              static_cast<double>(adapter.ccti_timer) * ccti_timer_unit_ns * adapter.ccti_increase};
}

std::vector<Hold> find_holds(const Fabric& fabric, const Traffic& traffic, const Model& model,
                             const CongestionParameters& congestion) {
  const PortDirectory ports(fabric, model);
  std::map<std::uint32_t, std::size_t> contributors;
  std::map<std::uint32_t, std::uint8_t> levels;
  for (const StaticFlow& flow : traffic.flows) {
    if (flow.victim) continue;
    const std::uint32_t root = ports.to_host(flow.hosts.destination);
    ++contributors[root];
    levels[root] = flow.level;
  }
  std::vector<Hold> holds;
  for (const auto& [root, count] : contributors) {
    constexpr double ns_per_second = 1e9;
    if (count < 2) continue;
    const double packet_ns = traffic.packet_bytes / ports.rate(root) * ns_per_second;
    const auto hold = hold_at(root, count, packet_ns, levels[root], model, congestion);
    if (hold) holds.push_back(*hold);
  }
  return holds;
}

}  // namespace pssp
