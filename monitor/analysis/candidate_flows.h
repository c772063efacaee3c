#pragma once

// All possible flows, with the bytes that agree best with the counters of hosts and channels.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/stop_signal.h"
#include "monitor/analysis/traffic_owners.h"

namespace pssp {

struct CandidateFlow {
  std::uint32_t source = 0, destination = 0;  ///< values of EndPortId
  std::uint32_t flow_class = 0;
};

/// Immutable.
class CandidateFlows {
 public:
  /// More flows than this throw Error(unsuitable_topology).
  static constexpr std::size_t most_flows = std::size_t{1} << 25;

  /// Collects the flows between hosts that sent and hosts that received, along the tables (to the
  /// base LIDs). Leaves out quiet hosts: those that counted at most ObservedTraffic::quiet_bytes
  /// each, and hosts in no job that together counted less than a thousandth of the bytes of the
  /// busiest channel. The bytes of each owner are first divided by the shares of its hosts, then
  /// scaled iteratively over hosts and channels: up to 100 rounds, fewer for more than a million
  /// flows. O(rounds * (flows + hops of their paths)).
  CandidateFlows(const ObservedTraffic& observed, const TrafficOwners& owners,
                 const StopSignal& stop = {});

  std::span<const CandidateFlow> flows() const noexcept { return flows_; }
  /// Bytes of each flow in the window.
  std::span<const double> bytes() const noexcept { return bytes_; }
  bool quiet(std::uint32_t host) const noexcept { return quiet_[host] != 0; }
  /// Upper limit of the bytes of all flows from or to quiet hosts together.
  double quiet_bytes() const noexcept { return quiet_bytes_; }
  /// Channels of a flow, starting at its source.
  std::span<const std::uint32_t> path(std::size_t flow) const noexcept {
    return hop_path(path_of_[flow]);
  }
  /// Flows that cross a channel, ascending.
  std::span<const std::uint32_t> crossing(std::uint32_t channel) const noexcept {
    return std::span(crossing_).subspan(first_crossing_[channel],
                                        first_crossing_[channel + 1] - first_crossing_[channel]);
  }

 private:
  static constexpr std::uint32_t no_path = 0xFFFF'FFFF;
  /// State of a path during scaling: the bytes of all its flows, the sum of the ratios of its
  /// channels, and the weight of each ratio in the mean over its channels, the source and the
  /// destination.
  struct PathChoice {
    double bytes = 0;
    double ratios = 0, parts = 0;
  };

  std::span<const std::uint32_t> hop_path(std::uint32_t number) const noexcept {
    return std::span(paths_).subspan(first_hop_[number],
                                     first_hop_[number + 1] - first_hop_[number]);
  }
  void find_quiet(const ObservedTraffic& observed, const TrafficOwners& owners);
  void collect(const ObservedTraffic& observed, const TrafficOwners& owners);
  std::uint32_t add_path(const ObservedTraffic& observed, SwitchId from, EndPortId destination);
  void begin_with_shares(const TrafficOwners& owners);
  void scale(const ObservedTraffic& observed, const StopSignal& stop);
  void follow(std::vector<PathChoice>& paths, std::vector<double>& over) const;
  void index_channels(std::size_t channels);

  std::vector<CandidateFlow> flows_;
  std::vector<double> bytes_;
  // All flows from one switch to one destination take the same path.
  std::vector<std::uint32_t> path_of_;
  std::vector<std::size_t> first_hop_{0};  // by path
  std::vector<std::uint32_t> paths_;
  std::vector<std::size_t> first_crossing_;
  std::vector<std::uint32_t> crossing_;
  std::vector<double> sent_, received_;  // bytes in the window; below 0 if unknown
  std::vector<double> counted_;          // bytes in the window by channel; below 0 if unknown
  std::vector<std::uint8_t> quiet_;      // by host
  double quiet_bytes_ = 0;
};

}  // namespace pssp
