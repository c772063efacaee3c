// With Threshold T, an output becomes congested when packets for it occupy more than (16 - T) / 16
// of one input buffer, and stays so until they occupy one sixteenth less; this hysteresis prevents
// single packets from toggling the state. For T = 2 these are 14/16 and 13/16, the thesis's
// threshold 2 and reset threshold 3. For T = 15 the lower limit would be below 0, so congestion
// ends with an empty queue.
//
// Marking_Rate is a counter, not a probability: InfiniBand specifies a mean, and switches count.
// Each port and lane has one counter, which continues from one congestion to the next.

#include "simulator/congestion/marking.h"

#include <algorithm>
#include <vector>

namespace pssp {
namespace {

bool names(const SwitchCongestionParameters& set, std::uint32_t component) {
  return (set.control_map & component) != 0;
}

void set_victim_masks(const PortSelection& selection, const Fabric& fabric, Network& network) {
  std::vector<PortMask> masks(fabric.switch_count());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const Switch& node = fabric.switch_at(SwitchId(s));
    std::vector<PortRole> roles(std::size_t{node.ports} + 1, PortRole::unconnected);
    for (unsigned port = 1; port <= node.ports; ++port) {
      const auto kind = fabric.behind(SwitchId(s), static_cast<PortNumber>(port)).kind;
      if (kind == PortTarget::Kind::channel) roles[port] = PortRole::switch_facing;
      if (kind == PortTarget::Kind::end_port) roles[port] = PortRole::host_facing;
    }
    masks[s] = resolve(selection, roles);
    for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
      network.links[c].victim_mask = masks[s][fabric.channel_out_port()[c]];
    }
  }
  for (std::uint32_t rank = 0; rank < network.hosts; ++rank) {
    const EndPort& host = fabric.end_port(fabric.endpoints()[rank]);
    network.links[network.to_host(rank)].victim_mask =
        masks[host.attached.value()][host.switch_port];
  }
}

}  // namespace

MarkingRule marking_rule(const CongestionParameters* parameters, const Model& model,
                         const Fabric& fabric, Network& network) {
  MarkingRule rule;
  if (parameters == nullptr) return rule;
  const SwitchCongestionParameters& set = parameters->switches;
  if (!names(set, switch_component::threshold_and_packet_size) || set.threshold == 0) return rule;
  rule.on = true;
  const std::uint64_t buffer = network.buffer_credits;
  rule.begin = buffer * (16U - set.threshold);
  rule.end = std::max<std::uint64_t>(1, buffer * (15U - std::min<unsigned>(set.threshold, 15)));
  rule.least_bytes = set.packet_size * packet_size_unit_bytes;
  const std::uint32_t rate = names(set, switch_component::marking_rate) ? set.marking_rate : 0;
  rule.each = model.marking == Marking::every_nth ? std::max(1U, rate) : rate + 1;
  rule.any_root = model.root == RootTest::any;
  if (names(set, switch_component::victim_mask)) {
    set_victim_masks(set.victim_mask, fabric, network);
  }
  return rule;
}

}  // namespace pssp
