#pragma once

// The channels of flows under given tables, side by side, and what traffic makes of them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "monitor/analysis/traffic_matrix.h"

namespace pssp {

/// Immutable; holds nothing of what it was made from.
class FlowRoutes {
 public:
  /// Routes to base LIDs. O(hops of all flows).
  FlowRoutes(const Fabric& fabric, const ForwardingTables& tables,
             std::span<const WeightedFlow> flows);

  std::size_t size() const noexcept { return first_hop_.size() - 1; }
  /// ChannelIds of a flow, from its source on; none for hosts of one switch, and without a route.
  std::span<const std::uint32_t> path(std::size_t flow) const noexcept {
    return std::span(hops_).subspan(first_hop_[flow], first_hop_[flow + 1] - first_hop_[flow]);
  }
  bool arrives(std::size_t flow) const noexcept { return arrives_[flow] != 0; }
  /// Flows without a route.
  std::size_t lost() const noexcept { return lost_; }

 private:
  std::vector<std::size_t> first_hop_{0};
  std::vector<std::uint32_t> hops_;
  std::vector<std::uint8_t> arrives_;
  std::size_t lost_ = 0;
};

/// How long channels take to carry some bytes, in seconds.
struct CarryTimes {
  std::vector<double> channels;        ///< by ChannelId
  std::vector<double> sent, received;  ///< cables of hosts, by rank
  double seconds_a_byte = 0;           ///< of a link with cost 1
  std::uint32_t busiest = 0;           ///< of them; 0 where there is none
  double most = 0;                     ///< its time
  /// Over all flows, by their bytes: the time of the busiest link on the way, those of hosts
  /// included. Flows without a route are left out, and load nothing.
  double mean = 0;
};

/// `bytes`: by flow. Links whose rate is not stated have that of most, or 4xSDR. O(hops).
CarryTimes carry_times(const Fabric& fabric, std::span<const WeightedFlow> flows,
                       const FlowRoutes& routes, std::span<const double> bytes);

}  // namespace pssp
