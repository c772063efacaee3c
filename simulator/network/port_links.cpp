#include "simulator/network/port_links.h"

namespace pssp {

std::vector<std::uint32_t> ranks_by_end_port(const Fabric& fabric) {
  std::vector<std::uint32_t> ranks(fabric.end_port_count(), no_index);
  for (std::uint32_t rank = 0; rank < fabric.endpoints().size(); ++rank) {
    ranks[fabric.endpoints()[rank].value()] = rank;
  }
  return ranks;
}

PortLinks::PortLinks(const Fabric& fabric, const Network& network)
    : fabric_(fabric), network_(network), rank_(ranks_by_end_port(fabric)) {}

std::array<std::uint32_t, 2> PortLinks::at(SwitchId s, PortNumber port) const {
  const PortTarget target = fabric_.behind(s, port);
  if (target.kind == PortTarget::Kind::channel) {
    return {target.index, fabric_.channel_reverse()[target.index]};
  }
  if (target.kind == PortTarget::Kind::end_port && rank_[target.index] != no_index) {
    return {network_.to_host(rank_[target.index]), network_.from_host(rank_[target.index])};
  }
  return {no_index, no_index};
}

std::vector<std::uint8_t> PortLinks::positions(SwitchId s) const {
  std::vector<std::uint8_t> positions(256, no_position);
  for (unsigned port = 1; port <= fabric_.switch_at(s).ports; ++port) {
    const std::uint32_t out = at(s, static_cast<PortNumber>(port))[0];
    if (out != no_index) positions[port] = network_.links[out].out;
  }
  return positions;
}

}  // namespace pssp
