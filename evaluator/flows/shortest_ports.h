#pragma once

// All minimal paths of a fabric, port by port: the choices of a switch that routes adaptively or
// hashes flows over ports, independent of tables.

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Immutable; can be read by any number of threads. Does not refer to the fabric.
class ShortestPorts {
 public:
  /// Six bytes per pair of a switch and a switch with endpoints, and during construction two more
  /// per pair of switches. O(switches * channels). Throws the errors of DistanceMatrix.
  explicit ShortestPorts(const Fabric& fabric);

  std::uint32_t endpoint_count() const noexcept { return static_cast<std::uint32_t>(at_.size()); }
  std::uint32_t channel_count() const noexcept { return static_cast<std::uint32_t>(head_.size()); }
  std::uint32_t switch_count() const noexcept { return switches_; }
  /// Switches with endpoints, with separate numbers.
  std::uint32_t target_count() const noexcept {
    return static_cast<std::uint32_t>(target_switch_.size());
  }

  /// For the endpoint at this position of Fabric::endpoints(): its switch, and the target number of
  /// that.
  std::uint32_t switch_of(std::uint32_t rank) const noexcept { return at_[rank]; }
  std::uint32_t target_of(std::uint32_t rank) const noexcept { return target_[rank]; }

  /// Channels out of a switch that lead one hop nearer to the target, ascending; empty at the
  /// target itself, and where no path leads to it.
  std::span<const std::uint32_t> ports(std::uint32_t target, std::uint32_t from) const noexcept {
    const std::uint32_t group = group_[std::size_t{target} * switches_ + from];
    return std::span(member_).subspan(first_[group], first_[group + 1] - first_[group]);
  }
  /// Channels of a minimal path; `unreached` if there is none.
  static constexpr std::uint16_t unreached = 0xFFFF;
  std::uint16_t hops(std::uint32_t target, std::uint32_t from) const noexcept {
    return hops_[std::size_t{target} * switches_ + from];
  }
  /// Switch that a channel leads to.
  std::uint32_t head(std::uint32_t channel) const noexcept { return head_[channel]; }

  /// The congestion that one flow adds: Fabric::channel_cost(), end_port_cost().
  double channel_cost(std::uint32_t channel) const noexcept { return channel_cost_[channel]; }
  double endpoint_cost(std::uint32_t rank) const noexcept { return endpoint_cost_[rank]; }

 private:
  void find_groups(const Fabric& fabric);

  std::uint32_t switches_;
  std::vector<std::uint32_t> at_, target_, target_switch_, head_;
  std::vector<double> channel_cost_, endpoint_cost_;
  std::vector<std::uint32_t> group_;           // by target * switches + switch
  std::vector<std::uint16_t> hops_;            // by target * switches + switch
  std::vector<std::uint32_t> first_, member_;  // by group; each set of ports once per switch
};

}  // namespace pssp
