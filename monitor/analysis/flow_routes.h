#pragma once

// Computes the channels of flows with given tables, and the load of the channels under given
// traffic.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "monitor/analysis/traffic_matrix.h"

namespace pssp {

/// Immutable; keeps no reference to its inputs.
class FlowRoutes {
 public:
  /// Routes to base LIDs. O(hops of all flows).
  FlowRoutes(const Fabric& fabric, const ForwardingTables& tables,
             std::span<const WeightedFlow> flows);

  std::size_t size() const noexcept { return first_hop_.size() - 1; }
  /// ChannelIds of a flow, starting at its source; empty for hosts of one switch, and without a
  /// route.
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

/// The time that channels need to carry given bytes, in seconds.
struct CarryTimes {
  std::vector<double> channels;        ///< by ChannelId
  std::vector<double> sent, received;  ///< cables of hosts, by rank
  double seconds_a_byte = 0;           ///< seconds for one byte on a link with cost 1
  std::uint32_t busiest = 0;           ///< channel with the largest time; 0 if there is none
  double most = 0;                     ///< time of `busiest`
  /// Mean over the bytes of all flows: the time of the busiest link of the path, including the
  /// cables of hosts. Flows without a route are left out and add no load.
  double mean = 0;
};

/// `bytes` is indexed by flow. Links without a stated rate have the most common rate of the fabric,
/// or 4xSDR. O(hops).
CarryTimes carry_times(const Fabric& fabric, std::span<const WeightedFlow> flows,
                       const FlowRoutes& routes, std::span<const double> bytes);

}  // namespace pssp
