#pragma once

// How full the directions of links are, and who waits (docs/monitor_fabric.md, "Utilisation").

#include <cstdint>
#include <vector>

#include "monitor/counters/rates.h"

namespace pssp {

struct UseLimits {
  double hot = 0.8;      ///< utilisation above which a channel is full itself
  double held_up = 0.3;  ///< waiting share above which it waits for something behind it
};

/// The direction out of a port.
struct ChannelUse {
  std::uint32_t port = 0;     ///< index into FabricMap::ports
  double utilisation = -1;    ///< 0 .. about 1; below 0: unknown
  double waiting_share = -1;  ///< 0 .. 1; below 0: unknown
  bool hot = false, held_up = false;
};

/// Of each port that has a cable, by port. O(ports).
std::vector<ChannelUse> channel_uses(const FabricMap& map,
                                     const std::vector<PortDifference>& differences,
                                     const UseLimits& limits = {});

}  // namespace pssp
