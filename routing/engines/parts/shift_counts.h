#pragma once

// How often routes would meet in shifts, where everybody sends to the k-th next at once.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/destination_tree.h"

namespace pssp {

/// For each channel and each k, the routes over the channel from a host to the k-th next one. Two
/// routes are on at once in a shift exactly if their k is the same; and stencils, recursive
/// doubling and jobs are made of a few shifts each. Two bytes a channel and host.
class ShiftCounts {
 public:
  /// Whether the counts of so many hosts fit into 1 GiB.
  static bool is_affordable(const Fabric& fabric, std::size_t hosts);

  /// All counts 0. `hosts`: in the order that shifts go by, attached all, fewer than 65536.
  ShiftCounts(const Fabric& fabric, const std::vector<EndPortId>& hosts);

  std::size_t hosts() const noexcept { return hosts_of_; }

  /// Adds the routes to `destination`, or takes them out again (`sign` -1). Does nothing where the
  /// end port is no host. O(hops of all routes).
  void change(const DestinationTree& tree, EndPortId destination, int sign);

  /// Routes on `channel` that are on at the same time as one from an endpoint at one of the
  /// `sources` (switches) to `destination` would be, summed over these endpoints. O(endpoints).
  double met(std::uint32_t channel, std::span<const std::uint32_t> sources,
             EndPortId destination) const;

 private:
  static constexpr std::uint32_t no_host = 0xFFFFFFFF;

  std::uint32_t shift(std::uint32_t source, std::uint32_t destination) const {
    return destination >= source ? destination - source
                                 : destination + static_cast<std::uint32_t>(hosts_of_) - source;
  }

  const Fabric& fabric_;
  std::size_t hosts_of_;
  std::vector<std::uint32_t> position_;                   // in the order, by EndPortId
  std::vector<std::vector<std::uint32_t>> positions_at_;  // of the hosts at each switch
  std::vector<std::uint16_t> counts_;                     // by ChannelId and k
};

}  // namespace pssp
