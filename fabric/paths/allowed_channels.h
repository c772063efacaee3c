#pragma once

// By which channels switches may forward to each other.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// For each switch that delivers to endpoints, the channels that lead one hop nearer to it: by the
/// minimal paths, or by the shortest that are legal in up*/down* routing. Whatever each switch
/// chooses among its channels, there is no loop. A bit for each pair of such a switch and a
/// channel: 26 MB where the LID space is full.
class AllowedChannels {
 public:
  /// The minimal paths. O(switches with endpoints * channels), as the other.
  explicit AllowedChannels(const Fabric& fabric);
  /// The shortest legal ones by a usable order (up_down_distances.h).
  AllowedChannels(const Fabric& fabric, const UpDownOrder& order);

  /// Whether the tail of `channel` may forward by it what is delivered at `root`.
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
