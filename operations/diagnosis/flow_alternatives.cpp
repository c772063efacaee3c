// A RouteStore with the links of hosts in addition to the channels: a slow adapter is found like a
// slow cable, and other code need not distinguish them.

#include "operations/diagnosis/flow_alternatives.h"

namespace pssp {

FlowAlternatives::FlowAlternatives(const Fabric& fabric, const ForwardingTables& tables)
    : fabric_(fabric), routes_(fabric, tables), capacity_(link_count()) {
  for (std::uint32_t c = 0; c < channel_count(); ++c) capacity_[c] = 1 / routes_.slot_cost()[c];
  for (std::uint32_t rank = 0; rank < endpoint_count(); ++rank) {
    capacity_[link_from(rank)] = capacity_[link_to(rank)] = 1 / routes_.endpoint_cost(rank);
  }
}

std::uint32_t FlowAlternatives::reverse(std::uint32_t link) const {
  if (link < channel_count()) return fabric_.channel_reverse()[link];
  return channel_count() + ((link - channel_count()) ^ 1U);
}

bool FlowAlternatives::append(Flow flow, std::vector<std::uint32_t>& links) const {
  if (flow.source == flow.destination) return false;
  const std::size_t before = links.size();
  links.push_back(link_from(flow.source));
  const bool is_complete = each_channel(flow, [&](std::uint32_t channel) {
    links.push_back(channel);
    return true;
  });
  if (!is_complete) {
    links.resize(before);
    return false;
  }
  links.push_back(link_to(flow.destination));
  return true;
}

}  // namespace pssp
