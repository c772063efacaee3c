#pragma once

// The channels over which switches may forward.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// For each switch with endpoints, the channels that lead one hop nearer to it: on minimal paths,
/// or on the shortest paths that are legal in up*/down* routing. Any choice among a switch's
/// channels is free of loops. One bit per pair of such a switch and a channel: 26 MB for a full LID
/// space.
class AllowedChannels {
 public:
  /// Minimal paths. O(switches with endpoints * channels), as the other.
  explicit AllowedChannels(const Fabric& fabric);
  /// The shortest legal paths of a usable order (up_down_distances.h).
  AllowedChannels(const Fabric& fabric, const UpDownOrder& order);

  /// Whether the tail of `channel` may use it for packets that `root` delivers.
  bool allow(SwitchId root, std::uint32_t channel) const {
    return allowed_[root.value() * width_ + channel];
  }
  /// Whether all entries for endpoints' LIDs are allowed. O(LIDs * switches).
  bool allow(const Fabric& fabric, const ForwardingTables& tables) const;

 private:
  template <class Distances>
  void gather(const Fabric& fabric, Distances distances);

  std::size_t width_;
  std::vector<bool> allowed_;  // by SwitchId and ChannelId
};

}  // namespace pssp
