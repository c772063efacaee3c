// A level is a partition of the switches, and each part lies within a part of the next level. On
// the first level, every switch is a separate part. On the second level, neighboring switches with
// hosts form one part; each further level adds the switches that are one hop farther from hosts.
// Two hosts in one part stay together on all further levels, so a flow is counted only at the cuts
// of the first levels. On a fat tree, the parts are the leaves, then the pods, then the whole tree.

#include "routing/structured_suite/phase_bound.h"

#include <algorithm>
#include <limits>

#include "base/disjoint_sets.h"

namespace pssp {
namespace {

/// Hops to the nearest switch with hosts, by SwitchId.
std::vector<std::uint32_t> ranks(const Fabric& fabric, std::vector<std::uint32_t> with_hosts) {
  std::vector<std::uint32_t> rank(fabric.switch_count(), std::numeric_limits<std::uint32_t>::max());
  for (const std::uint32_t s : with_hosts) rank[s] = 0;
  for (std::size_t i = 0; i < with_hosts.size(); ++i) {
    const std::uint32_t s = with_hosts[i];
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      const std::uint32_t next = fabric.channel_head()[c];
      if (rank[next] <= rank[s] + 1) continue;
      rank[next] = rank[s] + 1;
      with_hosts.push_back(next);
    }
  }
  return rank;
}

}  // namespace

PhaseBound::PhaseBound(const Fabric& fabric, const std::vector<EndPortId>& hosts, bool whole_flows)
    : whole_flows_(whole_flows) {
  std::vector<std::uint32_t> leaves;
  for (const EndPortId e : hosts) {
    switch_of_host_.push_back(fabric.end_port(e).attached.value());
    cost_of_host_.push_back(fabric.end_port_cost(e));
  }
  sent_.assign(hosts.size(), 0);
  received_.assign(hosts.size(), 0);
  leaves = switch_of_host_;
  std::sort(leaves.begin(), leaves.end());
  leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());

  const std::vector<std::uint32_t> rank = ranks(fabric, leaves);
  DisjointSets sets(fabric.switch_count());
  const auto parts = [&] {
    std::vector<std::uint32_t> part(fabric.switch_count());
    for (std::uint32_t s = 0; s < part.size(); ++s) part[s] = sets.root(s);
    return part;
  };
  add_level(fabric, parts());
  const auto all_together = [&] {
    return std::all_of(leaves.begin(), leaves.end(),
                       [&](std::uint32_t s) { return sets.together(s, leaves.front()); });
  };
  const auto hops = static_cast<std::uint32_t>(fabric.switch_count());
  for (std::uint32_t level = 0; level < hops; ++level) {
    bool reached = false;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      const std::uint32_t a = fabric.channel_tail()[c];
      const std::uint32_t b = fabric.channel_head()[c];
      if (std::max(rank[a], rank[b]) != level) continue;
      reached = true;
      sets.unite(a, b);
    }
    // If no switch is this far away, or all hosts are in one part, no further flows leave any part.
    if (all_together() || (!reached && level > 0)) break;
    add_level(fabric, parts());
  }
}

/// `part`: for each SwitchId, a number below switch_count() that is equal within a part.
void PhaseBound::add_level(const Fabric& fabric, const std::vector<std::uint32_t>& part) {
  const auto first_cut = static_cast<std::uint32_t>(cuts_.size());
  cuts_.resize(cuts_.size() + fabric.switch_count());
  std::vector<std::uint32_t>& cut_of = cut_of_switch_.emplace_back(part);
  for (std::uint32_t& cut : cut_of) cut += first_cut;
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const std::uint32_t tail = fabric.channel_tail()[c];
    if (part[tail] == part[fabric.channel_head()[c]]) continue;
    Cut& cut = cuts_[cut_of[tail]];
    const double cost = fabric.channel_cost()[c];
    cut.least_cost = cut.channels == 0 ? cost : std::min(cut.least_cost, cost);
    cut.largest_cost = std::max(cut.largest_cost, cost);
    cut.capacity += 1 / cost;
    ++cut.channels;
  }
  ++levels_;
}

double PhaseBound::time_through(const Cut& cut, std::uint32_t flows) const {
  if (cut.channels == 0) return 0;  // no flow arrives, so the phase takes no time
  if (whole_flows_ && cut.least_cost == cut.largest_cost) {
    const std::uint32_t rounds = (flows + cut.channels - 1) / cut.channels;
    return rounds * cut.least_cost;
  }
  return flows / cut.capacity;
}

/// For hosts that send or receive several flows.
double PhaseBound::time_of_hosts(std::span<const HostFlow> flows) {
  double time = 0;
  const auto take = [&](std::uint32_t& number, std::uint32_t host) {
    if (++number > 1) time = std::max(time, number * cost_of_host_[host]);
  };
  for (const HostFlow& flow : flows) {
    take(sent_[flow.from], flow.from);
    take(received_[flow.to], flow.to);
  }
  for (const HostFlow& flow : flows) sent_[flow.from] = received_[flow.to] = 0;
  return time;
}

double PhaseBound::of(std::span<const HostFlow> flows) {
  for (const HostFlow& flow : flows) {
    const std::uint32_t from = switch_of_host_[flow.from];
    const std::uint32_t to = switch_of_host_[flow.to];
    for (std::size_t level = 0; level < levels_; ++level) {
      const std::uint32_t left = cut_of_switch_[level][from];
      const std::uint32_t entered = cut_of_switch_[level][to];
      if (left == entered) break;
      ++cuts_[left].leaving;
      ++cuts_[entered].entering;
      touched_.push_back(left);
      touched_.push_back(entered);
    }
  }
  double bound = std::max(1.0, time_of_hosts(flows));
  for (const std::uint32_t index : touched_) {
    Cut& cut = cuts_[index];
    bound = std::max(bound, time_through(cut, std::max(cut.leaving, cut.entering)));
    cut.leaving = cut.entering = 0;
  }
  touched_.clear();
  return bound;
}

}  // namespace pssp
