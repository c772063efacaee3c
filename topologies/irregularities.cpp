#include "topologies/irregularities.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "topologies/random.h"

namespace pssp {
namespace {

/// The hosts of each node (empty except for switches), in the order of addition.
std::vector<std::vector<PlanNodeId>> hosts_per_node(const CablingPlan& plan) {
  std::vector<std::vector<PlanNodeId>> hosts(plan.nodes().size());
  for (const Cable& cable : plan.cables()) {
    if (plan.joins_switches(cable)) continue;
    const bool first_is_host = !plan.node(cable.a.node).is_switch;
    const PlanNodeId host = first_is_host ? cable.a.node : cable.b.node;
    hosts[(first_is_host ? cable.b : cable.a).node.value()].push_back(host);
  }
  for (std::vector<PlanNodeId>& each : hosts) std::sort(each.begin(), each.end());
  return hosts;
}

void make_uneven(CablingPlan& plan, std::uint32_t most, Random random) {
  for (const std::vector<PlanNodeId>& hosts : hosts_per_node(plan)) {
    if (hosts.empty()) continue;
    const std::uint64_t missing = random.below(std::min<std::uint64_t>(most + 1ULL, hosts.size()));
    for (std::size_t h = hosts.size() - missing; h < hosts.size(); ++h) plan.remove_node(hosts[h]);
  }
}

void name_servers(CablingPlan& plan, std::uint32_t count) {
  unsigned number = 0;
  for (const std::vector<PlanNodeId>& hosts : hosts_per_node(plan)) {
    for (std::size_t h = hosts.size() - std::min<std::size_t>(count, hosts.size());
         h < hosts.size(); ++h) {
      plan.rename(hosts[h], fmt::format("io{:05}", ++number));
    }
  }
}

void take_hosts_out(CablingPlan& plan, std::uint32_t count, Random random) {
  std::vector<PlanNodeId> hosts;
  for (std::uint32_t n = 0; n < plan.nodes().size(); ++n) {
    if (!plan.nodes()[n].is_switch) hosts.emplace_back(n);
  }
  if (count > hosts.size()) {
    throw Error(ErrorKind::usage,
                fmt::format("{} hosts cannot be absent; the fabric has {}", count, hosts.size()));
  }
  const std::vector<std::uint32_t> order =
      random.permutation(static_cast<std::uint32_t>(hosts.size()));
  for (std::uint32_t i = 0; i < count; ++i) plan.remove_node(hosts[order[i]]);
}

void mix_rates(CablingPlan& plan, LinkRate rate, Random random) {
  const std::vector<std::vector<PlanNodeId>> hosts = hosts_per_node(plan);
  std::vector<std::uint32_t> leaves;
  for (std::uint32_t n = 0; n < hosts.size(); ++n) {
    if (!hosts[n].empty()) leaves.push_back(n);
  }
  const std::vector<std::uint32_t> order =
      random.permutation(static_cast<std::uint32_t>(leaves.size()));
  std::vector<bool> is_other(plan.nodes().size(), false);
  for (std::size_t i = 0; i < leaves.size() / 2; ++i) is_other[leaves[order[i]]] = true;
  plan.set_rate(is_other, rate);
}

/// Moves random hosts to random switches without hosts, as an administrator does who needs another
/// port.
void plug_above(CablingPlan& plan, std::uint32_t count, Random random) {
  const std::vector<std::vector<PlanNodeId>> hosts_at = hosts_per_node(plan);
  std::vector<PlanNodeId> hosts, switches;
  for (std::uint32_t n = 0; n < hosts_at.size(); ++n) {
    hosts.insert(hosts.end(), hosts_at[n].begin(), hosts_at[n].end());
    const PlanNode& node = plan.nodes()[n];
    if (node.is_switch && !node.removed && hosts_at[n].empty()) switches.emplace_back(n);
  }
  if (count > hosts.size() || switches.empty()) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "--upper-hosts {}: the fabric has only {} cabled hosts and {} switches without hosts",
            count, hosts.size(), switches.size()));
  }
  const std::vector<std::uint32_t> order =
      random.permutation(static_cast<std::uint32_t>(hosts.size()));
  for (std::uint32_t i = 0; i < count; ++i) {
    plan.move_host(hosts[order[i]],
                   switches[random.below(static_cast<std::uint32_t>(switches.size()))]);
  }
}

}  // namespace

void make_irregular(CablingPlan& plan, const Irregularities& wanted, std::uint64_t seed) {
  if (wanted.uneven > 0) {
    make_uneven(plan, wanted.uneven, Random(seed, RandomPurpose::uneven_hosts));
  }
  if (wanted.servers > 0) name_servers(plan, wanted.servers);
  if (wanted.absent > 0) {
    take_hosts_out(plan, wanted.absent, Random(seed, RandomPurpose::absent_hosts));
  }
  if (wanted.other_rate.stated()) {
    mix_rates(plan, wanted.other_rate, Random(seed, RandomPurpose::mixed_rates));
  }
  if (wanted.upper > 0) plug_above(plan, wanted.upper, Random(seed, RandomPurpose::upper_hosts));
}

}  // namespace pssp
