// A port is on a minimal path if its channel leads one hop nearer to the destination. Many
// destinations share a set of ports (in a tree, all that are not below a switch), so each set is
// stored once per switch, and destinations refer to it.

#include "evaluator/flows/shortest_ports.h"

#include <map>
#include <utility>

#include "fabric/paths/distance_matrix.h"

namespace pssp {

ShortestPorts::ShortestPorts(const Fabric& fabric)
    : switches_(static_cast<std::uint32_t>(fabric.switch_count())),
      head_(fabric.channel_head().begin(), fabric.channel_head().end()),
      channel_cost_(fabric.channel_cost().begin(), fabric.channel_cost().end()),
      first_{0, 0} {
  constexpr std::uint32_t unnumbered = ~std::uint32_t{0};
  std::vector<std::uint32_t> target_at(switches_, unnumbered);
  for (const EndPortId endpoint : fabric.endpoints()) {
    const std::uint32_t s = fabric.end_port(endpoint).attached.value();
    if (target_at[s] == unnumbered) {
      target_at[s] = target_count();
      target_switch_.push_back(s);
    }
    at_.push_back(s);
    target_.push_back(target_at[s]);
    endpoint_cost_.push_back(fabric.end_port_cost(endpoint));
  }
  static_assert(unreached == DistanceMatrix::unreachable);
  const DistanceMatrix distances(fabric);
  for (const std::uint32_t s : target_switch_) {
    const std::uint16_t* const distance = distances.to(SwitchId(s));
    hops_.insert(hops_.end(), distance, distance + switches_);
  }
  find_groups(fabric);
}

void ShortestPorts::find_groups(const Fabric& fabric) {
  group_.assign(std::size_t{target_count()} * switches_, 0);  // group 0 is the empty one
  std::map<std::vector<std::uint32_t>, std::uint32_t> known;
  std::vector<std::uint32_t> ports;
  for (std::uint32_t s = 0; s < switches_; ++s) {
    known.clear();
    for (std::uint32_t target = 0; target < target_count(); ++target) {
      const std::uint16_t* const distance = &hops_[std::size_t{target} * switches_];
      if (distance[s] == 0 || distance[s] == unreached) continue;
      ports.clear();
      for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
        if (distance[head_[c]] < distance[s]) ports.push_back(c);
      }
      const auto next = static_cast<std::uint32_t>(first_.size() - 1);
      const auto [found, is_new] = known.emplace(ports, next);
      if (is_new) {
        member_.insert(member_.end(), ports.begin(), ports.end());
        first_.push_back(static_cast<std::uint32_t>(member_.size()));
      }
      group_[std::size_t{target} * switches_ + s] = found->second;
    }
  }
}

}  // namespace pssp
