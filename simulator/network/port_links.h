#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fabric/fabric.h"
#include "simulator/network/network.h"

namespace pssp {

/// Ranks of hosts by EndPortId; no_index: no host. O(end ports).
std::vector<std::uint32_t> ranks_by_end_port(const Fabric& fabric);

/// The links of a network by port of the switches of its fabric.
class PortLinks {
 public:
  /// Uses only the hosts and channels of `network`. Both must outlive the object.
  PortLinks(const Fabric& fabric, const Network& network);

  /// The links out of and into the switch at a port; no_index: no link with traffic.
  std::array<std::uint32_t, 2> at(SwitchId s, PortNumber port) const;
  /// By port number, 256 entries: the position of the output; no_position: none. Requires a network
  /// whose switches are built.
  std::vector<std::uint8_t> positions(SwitchId s) const;

 private:
  const Fabric& fabric_;
  const Network& network_;
  std::vector<std::uint32_t> rank_;  // by end port
};

}  // namespace pssp
