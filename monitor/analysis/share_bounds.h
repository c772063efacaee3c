#pragma once

// Computes how much of a channel a job can have used at most and must have used at least, for any
// pattern of traffic.

#include <cstdint>
#include <vector>

#include "monitor/analysis/traffic_owners.h"

namespace pssp {

/// Why the bounds of a job are wider than its own hosts require: its flows may go to any host.
enum class WideBounds : std::uint8_t {
  no,
  host_in_two_jobs,
  shared_host,       ///< one of its hosts also serves other jobs
  unequal_sums,      ///< it sent and received amounts that hosts in no job do not explain
  unknown_counters,  ///< of one of its hosts; the bounds still hold, as the host may have sent
                     ///< anything
};

/// Bytes in the window.
struct ByteBounds {
  double least = 0, most = 0;
};

/// Immutable. Source: docs/explanation/monitoring.md, "Who uses a link".
class ShareBounds {
 public:
  /// `reading_skew`: counters of ports that are read at different moments of a sweep disagree by up
  /// to this part of a sweep at both ends of the window. The bounds allow for it.
  ShareBounds(const ObservedTraffic& observed, const TrafficOwners& owners, double reading_skew);

  /// Bounds by job, followed by the bounds of all flows between hosts in no job. Sweeps in which
  /// the channel was not read do not count. O(pairs of hosts whose route crosses the channel).
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
  std::vector<std::uint8_t> part_time_;  // by host: nonzero if no job ran on it for part of the
                                         // window
};

}  // namespace pssp
