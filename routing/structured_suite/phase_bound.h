#pragma once

// How long a phase takes at least, whatever the tables.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "routing/structured_suite/patterns.h"

namespace pssp {

/// Cuts of a fabric: around each switch with hosts, and around each connected part of the switches
/// that are at most L hops from a switch with hosts, for each L. What leaves such a part, or comes
/// into it, shares the channels out of it, or into it. And where a host sends or receives several
/// flows, these share its own link. An object serves many phases and allocates hardly more than
/// once; for one thread.
class PhaseBound {
 public:
  /// The fabric must outlive the object. O(levels * channels), where levels are the L until all
  /// hosts are in one part.
  /// `whole_flows`: a flow takes one way; otherwise it may be sent in parts, and nothing is
  /// rounded.
  PhaseBound(const Fabric& fabric, const std::vector<EndPortId>& hosts, bool whole_flows = true);

  /// The least that the largest congestion of a flow can be, in units as those of
  /// Fabric::channel_cost(); at least 1. Over channels of equal rate flows are whole: ten flows
  /// over four channels bring three to one of them. O(flows * levels).
  double of(std::span<const HostFlow> flows);

 private:
  struct Cut {
    std::uint32_t channels = 0;  // in one direction
    double capacity = 0;         // of these, in units of the reference rate
    double least_cost = 0;       // of one route on a channel
    double largest_cost = 0;
    std::uint32_t leaving = 0;  // flows of the present phase
    std::uint32_t entering = 0;
  };

  void add_level(const Fabric& fabric, const std::vector<std::uint32_t>& part);
  double time_through(const Cut& cut, std::uint32_t flows) const;
  double time_of_hosts(std::span<const HostFlow> flows);

  bool whole_flows_;
  std::vector<std::uint32_t> switch_of_host_;
  std::vector<double> cost_of_host_;
  std::vector<std::uint32_t> sent_, received_;  // flows of the present phase, by host
  std::size_t levels_ = 0;
  std::vector<std::vector<std::uint32_t>> cut_of_switch_;  // by level and SwitchId
  std::vector<Cut> cuts_;
  std::vector<std::uint32_t> touched_;
};

}  // namespace pssp
