// Compares the states before and after like reroute_impact does offline (evaluator/rerouting), with
// the tables that were read. The states in between are known less exactly than from an order of
// writes: blocks are read in a cycle, and two changes found in the same cycle may have happened in
// either order. Changes are therefore combined into steps, and the order of two steps is certain.

#include "monitor/analysis/reroute.h"

#include <algorithm>

#include "base/error.h"
#include "evaluator/rerouting/block_writes.h"

namespace pssp {
namespace {

/// Counts the differing entries if there is no fabric to compare.
void count_entries(const SeenReroute& reroute, RerouteImpact& impact) {
  for (std::size_t n = 0; n < reroute.after->by_node.size(); ++n) {
    const auto was = reroute.before->map->find_node(reroute.after->map->nodes[n].guid);
    if (!was) continue;
    const std::vector<PortNumber>& before = reroute.before->by_node[*was];
    const std::vector<PortNumber>& after = reroute.after->by_node[n];
    std::uint64_t blocks = 0;
    for (std::size_t at = 0; at < std::min(before.size(), after.size()); at += lids_per_block) {
      std::uint64_t entries = 0;
      for (std::size_t i = at; i < at + lids_per_block; ++i) entries += before[i] != after[i];
      impact.entries += entries;
      blocks += entries != 0 ? 1U : 0U;
    }
    impact.blocks += blocks;
    impact.switches += blocks != 0 ? 1U : 0U;
  }
}

/// Positions in FabricChange::hosts() by port GUID.
std::map<Guid, std::uint32_t> positions_of(const FabricChange& change) {
  std::map<Guid, std::uint32_t> positions;
  for (std::uint32_t h = 0; h < change.hosts().size(); ++h) {
    const HostChange& host = change.hosts()[h];
    const EndPort& port = host.before.valid() ? change.before().end_port(host.before)
                                              : change.after().end_port(host.after);
    positions.emplace(port.port_guid, h);
  }
  return positions;
}

PatternLevels all_pairs(const JobPorts& job, const std::map<Guid, std::uint32_t>& positions) {
  std::vector<std::uint32_t> hosts;
  for (const Guid port : job.ports) {
    const auto found = positions.find(port);
    if (found != positions.end()) hosts.push_back(found->second);
  }
  PatternLevels levels;
  for (const std::uint32_t from : hosts) {
    for (const std::uint32_t to : hosts) {
      if (from != to) levels.flows.push_back({from, to});
    }
  }
  levels.bytes.assign(levels.flows.size(), 1);
  levels.first.push_back(levels.flows.size());
  return levels;
}

void compare_jobs(std::span<const JobPorts> jobs, const FabricChange& change,
                  const RoutedState& before, const RoutedState& after, RerouteImpact& impact) {
  if (jobs.empty()) return;
  const std::map<Guid, std::uint32_t> positions = positions_of(change);
  for (const JobPorts& job : jobs) {
    const PatternLevels traffic = all_pairs(job, positions);
    const FlowChanges flows = route_changes(change, before, after, &traffic).flows;
    if (flows.moved.flows + flows.lost.flows + flows.gained.flows == 0) continue;
    impact.jobs.push_back({job.id, flows});
  }
}

void compare_fabrics(const SeenReroute& reroute, std::span<const JobPorts> jobs,
                     RerouteImpact& impact) {
  const Fabric& old_fabric = *reroute.before->map->fabric;
  const Fabric& new_fabric = *reroute.after->map->fabric;
  const ForwardingTables old_tables = reroute.before->tables();
  const ForwardingTables new_tables = reroute.after->tables();
  const RoutedState before{old_fabric, old_tables}, after{new_fabric, new_tables};
  const FabricChange change(old_fabric, new_fabric);
  const ForwardingTables kept = tables_before_writing(change, before, after);
  const TableChanges tables = table_changes(kept, after);
  impact.entries = tables.entries;
  impact.blocks = tables.writes.size();
  impact.switches = tables.switches;
  impact.routes = route_changes(change, before, after);
  const std::vector<SeenStep> steps = steps_of(reroute.changes, new_fabric);
  impact.states = observed_states(new_fabric, kept, reroute.begin_ns, steps);
  for (const SeenStep& step : steps) impact.step_ns.push_back(step.time_ns);
  compare_jobs(jobs, change, before, after, impact);
}

}  // namespace

std::vector<SeenStep> steps_of(std::span<const ChangedBlock> changes, const Fabric& after) {
  std::vector<SeenStep> steps;
  std::int64_t first_ns = 0;
  for (const ChangedBlock& change : changes) {
    const std::optional<SwitchId> at = after.find_switch(change.node);
    if (!at) continue;
    if (steps.empty() || change.since_ns >= first_ns) {
      first_ns = change.time_ns;
      steps.emplace_back();
    }
    SeenStep& step = steps.back();
    step.time_ns = change.time_ns;
    for (std::uint32_t i = 0; i < lids_per_block; ++i) {
      const std::uint32_t lid = change.block * lids_per_block + i;
      if (change.before[i] == change.after[i] || lid > after.max_lid()) continue;
      step.writes.push_back({at->value(), static_cast<Lid>(lid), change.after[i]});
    }
  }
  return steps;
}

RerouteImpact impact_of(const SeenReroute& reroute, std::span<const JobPorts> jobs) {
  RerouteImpact impact;
  if (reroute.before->map->fabric == nullptr || reroute.after->map->fabric == nullptr) {
    impact.problem = "the fabric cannot be routed, so flows are not known";
  } else {
    try {
      compare_fabrics(reroute, jobs, impact);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::mismatch) throw;
      impact = {};
      impact.problem = error.what();
    }
  }
  if (!impact.problem.empty()) count_entries(reroute, impact);
  return impact;
}

}  // namespace pssp
