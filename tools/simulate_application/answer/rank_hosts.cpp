#include "tools/simulate_application/answer/rank_hosts.h"

#include <algorithm>

#include "base/random.h"
#include "evaluator/hosts/node_ordering_file.h"
#include "fabric/nodes/node_rails.h"

namespace pssp {

std::vector<EndPortId> hosts_by_switch(const Fabric& fabric) {
  std::vector<EndPortId> hosts;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const EndPortId port : fabric.end_ports_of(SwitchId(s))) {
      if (fabric.is_endpoint(port)) hosts.push_back(port);
    }
  }
  return hosts;
}

std::vector<EndPortId> choose_hosts(const Fabric& fabric, const ApplicationQuestion& question,
                                    std::uint64_t seed, std::vector<std::string>& warnings) {
  constexpr std::uint64_t purpose_of_order = 0x6170706C;
  std::vector<EndPortId> hosts;
  if (!question.ranks_on.empty()) {
    const NodeOrdering ordering = read_node_ordering(question.ranks_on, fabric);
    warnings.insert(warnings.end(), ordering.warnings.begin(), ordering.warnings.end());
    for (const std::uint32_t host : ordering.hosts) hosts.push_back(fabric.endpoints()[host]);
    return hosts;
  }
  hosts = hosts_by_switch(fabric);
  if (question.order == "random") {
    RandomGenerator random = random_stream(seed, purpose_of_order, 0);
    shuffle(hosts, random);
  }
  return hosts;
}

std::vector<EndPortId> place_on_hosts(const std::vector<EndPortId>& hosts, std::size_t ranks,
                                      std::size_t each, bool cyclic) {
  const std::size_t needed = std::min(hosts.size(), (ranks + each - 1) / each);
  std::vector<EndPortId> positions;
  for (std::size_t i = 0; i < std::min(ranks, needed * each); ++i) {
    positions.push_back(hosts[cyclic ? i % needed : i / each]);
  }
  return positions;
}

bool names_adapters(const Schedule& schedule) {
  for (std::uint32_t i = 0; i < schedule.operation_count(); ++i) {
    if (schedule.operation(i).adapter != 0) return true;
  }
  return false;
}

RankPlacement with_adapters(const Fabric& fabric, std::vector<EndPortId> hosts, bool several) {
  RankPlacement positions{std::move(hosts)};
  if (!several) return positions;
  const NodeRails rails(fabric);
  for (const EndPortId host : positions.hosts) {
    std::vector<EndPortId>& ports = positions.adapters.emplace_back();
    for (const NodeRails::Rail& rail : rails.nodes()[rails.node_of(host).value()].rails) {
      ports.push_back(rail.port);
    }
  }
  return positions;
}

}  // namespace pssp
