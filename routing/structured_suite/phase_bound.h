#pragma once

// A lower bound of the time of a phase for all tables.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "routing/structured_suite/patterns.h"

namespace pssp {

/// A lower bound from cuts of a fabric: around each switch with hosts, and for each L, around each
/// connected part of the switches within L hops of a switch with hosts. Flows that leave or enter a
/// part share the channels out of or into the part. Several flows of one host share the link of the
/// host. One object can evaluate many phases with few allocations; it must be used by one thread.
class PhaseBound {
 public:
  /// The fabric must outlive the object. O(levels * channels), where levels counts the values of L
  /// until all hosts are in one part. `whole_flows`: a flow uses one path; otherwise, flows may be
  /// split, and bounds are not rounded.
  PhaseBound(const Fabric& fabric, const std::vector<EndPortId>& hosts, bool whole_flows = true);

  /// A lower bound of the largest congestion of a flow, in units of Fabric::channel_cost(); at
  /// least 1. Over channels of equal rate, flows are not split: of ten flows over four channels,
  /// one channel carries three. O(flows * levels).
  double of(std::span<const HostFlow> flows);

 private:
  struct Cut {
    std::uint32_t channels = 0;  // in one direction
    double capacity = 0;         // of these, in units of the reference rate
    double least_cost = 0;       // of one route on a channel
    double largest_cost = 0;
    std::uint32_t leaving = 0;  // flows of the current phase
    std::uint32_t entering = 0;
  };

  void add_level(const Fabric& fabric, const std::vector<std::uint32_t>& part);
  double time_through(const Cut& cut, std::uint32_t flows) const;
  double time_of_hosts(std::span<const HostFlow> flows);

  bool whole_flows_;
  std::vector<std::uint32_t> switch_of_host_;
  std::vector<double> cost_of_host_;
  std::vector<std::uint32_t> sent_, received_;  // flows of the current phase, by host
  std::size_t levels_ = 0;
  std::vector<std::vector<std::uint32_t>> cut_of_switch_;  // by level and SwitchId
  std::vector<Cut> cuts_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace pssp
