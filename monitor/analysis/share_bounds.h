#pragma once

// How much of a channel a job can have used at most, and must have used at least, whatever it did.

#include <cstdint>
#include <vector>

#include "monitor/analysis/traffic_owners.h"

namespace pssp {

/// What makes the bounds of a job wider than its hosts alone would: its flows may go to any host.
enum class WideBounds : std::uint8_t {
  no,
  host_in_two_jobs,
  shared_host,       ///< a host of it serves others, too
  unequal_sums,      ///< it sent and received amounts that no host outside of jobs explains
  unknown_counters,  ///< of one of its hosts; its bounds hold, with what it may have sent
};

/// Bytes in the window.
struct ByteBounds {
  double least = 0, most = 0;
};

/// Immutable. Source: docs/explanation/monitoring.md, "Who uses a link".
class ShareBounds {
 public:
  /// Counters of ports that were read at different moments of a sweep disagree by up to
  /// `reading_skew` of a sweep at both ends of the window: bounds have room for that.
  ShareBounds(const ObservedTraffic& observed, const TrafficOwners& owners, double reading_skew);

  /// By job, and behind them of all flows between hosts in no job. Sweeps in which the channel was
  /// not read do not count. O(pairs of hosts whose route crosses the channel).
  std::vector<ByteBounds> of(ChannelId channel) const;
  WideBounds wide(std::uint32_t job) const noexcept { return wide_[job]; }
  /// Bytes of the channel in the window, without sweeps in which it was not read.
  double bytes(ChannelId channel) const;

 private:
  void find_wide_jobs();
  void find_part_time_hosts();
  bool may_be_free(std::uint32_t host) const noexcept;
  std::vector<double> host_sums(const std::vector<double>& values, ChannelId channel) const;
  bool counts(ChannelId channel, std::size_t sweep) const;
  template <class Take>
  void for_each_pair(ChannelId channel, Take&& take) const;
  template <class Take>
  void for_each_job(std::uint32_t source, std::uint32_t destination, Take&& take) const;

  const ObservedTraffic& observed_;
  const TrafficOwners& owners_;
  double reading_skew_;
  std::vector<WideBounds> wide_;
  std::vector<std::uint8_t> part_time_;  // by host: not all of the time some job ran on it
};

}  // namespace pssp
