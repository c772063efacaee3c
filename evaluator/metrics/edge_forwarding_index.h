#pragma once

// Edge forwarding index: how evenly the tables spread all routes over the channels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

struct BusyChannel {
  ChannelId channel;
  std::uint64_t routes =
      0;             ///< channel_loads(): from each endpoint to each LID of each other endpoint
  double index = 0;  ///< routes relative to the capacity of the channel
};

/// Over switch-to-switch channels; all 0 in a fabric without any.
struct EdgeForwardingIndex {
  double max = 0;
  double mean = 0;
  double deviation = 0;              ///< standard deviation over the channels
  std::vector<BusyChannel> busiest;  ///< by descending index, then by ascending id
};

/// Keeps the `top` busiest channels that carry any route. `loads` are those of channel_loads().
/// O(channels * log channels).
EdgeForwardingIndex edge_forwarding_index_report(const Fabric& fabric,
                                                 std::span<const std::uint64_t> loads,
                                                 std::size_t top);

}  // namespace pssp
