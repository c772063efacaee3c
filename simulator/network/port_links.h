#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fabric/fabric.h"
#include "simulator/network/network.h"

namespace pssp {

/// Ranks of hosts by EndPortId; no_index: no host. O(end ports).
std::vector<std::uint32_t> ranks_by_end_port(const Fabric& fabric);

/// Which links of a network are behind the ports of the switches of its fabric.
class PortLinks {
 public:
  /// Of `network` only hosts and channels are looked at. Both must outlive the object.
  PortLinks(const Fabric& fabric, const Network& network);

  /// Links out of and into the switch by a port; no_index: nothing that carries traffic.
  std::array<std::uint32_t, 2> at(SwitchId s, PortNumber port) const;
  /// Of a network whose switches are built, by port number: the place of the output; no_position:
  /// none. 256 of them.
  std::vector<std::uint8_t> positions(SwitchId s) const;

 private:
  const Fabric& fabric_;
  const Network& network_;
  std::vector<std::uint32_t> rank_;  // by end port
};

}  // namespace pssp
