#pragma once

// All flows that may be, with the bytes that agree best with what hosts and channels counted.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/stop_signal.h"
#include "monitor/analysis/traffic_owners.h"

namespace pssp {

struct CandidateFlow {
  std::uint32_t source = 0, destination = 0;  ///< EndPortIds
  std::uint32_t flow_class = 0;
};

/// Immutable.
class CandidateFlows {
 public:
  /// More than this is refused with Error(unsuitable_topology).
  static constexpr std::size_t most_flows = std::size_t{1} << 25;

  /// Flows between hosts that sent and hosts that received, along the tables (to the base LIDs),
  /// but for quiet hosts: those that counted no more than ObservedTraffic::quiet_bytes each, and
  /// those in no job that all together counted less than a thousandth of what the busiest channel
  /// carried. First each owner's bytes by its hosts' shares, then up to 100 rounds of iterative
  /// scaling over hosts and channels, fewer beyond a million flows. O(rounds * (flows + hops of
  /// their paths)).
  CandidateFlows(const ObservedTraffic& observed, const TrafficOwners& owners,
                 const StopSignal& stop = {});

  std::span<const CandidateFlow> flows() const noexcept { return flows_; }
  /// Bytes of each flow in the window.
  std::span<const double> bytes() const noexcept { return bytes_; }
  bool quiet(std::uint32_t host) const noexcept { return quiet_[host] != 0; }
  /// All flows that have a quiet host at one end are no more than this together.
  double quiet_bytes() const noexcept { return quiet_bytes_; }
  /// Channels of a flow, from its source on.
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
  /// While scaling: bytes of all its flows; what its channels say of each, summed; its part of
  /// the mean over these, the source and the destination.
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
  // From one switch to one destination all flows take the same way.
  std::vector<std::uint32_t> path_of_;
  std::vector<std::size_t> first_hop_{0};  // by way
  std::vector<std::uint32_t> paths_;
  std::vector<std::size_t> first_crossing_;
  std::vector<std::uint32_t> crossing_;
  std::vector<double> sent_, received_;  // of the window; below 0: unknown
  std::vector<double> counted_;          // by channel, likewise
  std::vector<std::uint8_t> quiet_;      // by host
  double quiet_bytes_ = 0;
};

}  // namespace pssp
