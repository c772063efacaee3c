#pragma once

// Latencies: number, sum, least and largest exactly; percentiles from buckets whose widths grow
// with them, 256 to a doubling, so that a percentile is known to .4 % at any length of a run.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/simulated_time.h"

namespace pssp {

/// Buckets for all times from 0 to `never`.
inline constexpr std::size_t latency_buckets = std::size_t{256} * 56;

/// Bucket of a latency >= 0. O(1).
std::size_t latency_bucket(SimulatedTime latency) noexcept;
/// Least latency of a bucket; of latency_buckets: `never`.
SimulatedTime latency_bound(std::size_t bucket) noexcept;

struct LatencyHistogram {
  std::uint64_t count = 0;
  std::uint64_t sum = 0, carries = 0;  ///< picoseconds, 2^64 a carry
  SimulatedTime least = never, most = 0;
  /// Those that fell into each bucket from `first` on: only a part of all buckets is ever needed.
  std::size_t first = 0;
  std::vector<std::uint64_t> counts;

  /// latency >= 0. O(1) once its bucket is there.
  void add(SimulatedTime latency) {
    const std::size_t bucket = latency_bucket(latency);
    if (bucket - first >= counts.size()) make_room(bucket);
    ++counts[bucket - first];
    ++count;
    const auto picoseconds = static_cast<std::uint64_t>(latency);
    sum += picoseconds;
    carries += sum < picoseconds ? 1 : 0;
    least = std::min(least, latency);
    most = std::max(most, latency);
  }
  /// Picoseconds; 0 where nothing was counted.
  double mean() const noexcept;
  /// The latency that `share` (0 .. 1) of all packets did not exceed, interpolated inside its
  /// bucket; 0 where nothing was counted.
  double percentile(double share) const noexcept;
  std::size_t bytes() const noexcept { return counts.capacity() * sizeof(std::uint64_t); }

  friend bool operator==(const LatencyHistogram&, const LatencyHistogram&) = default;

 private:
  void make_room(std::size_t bucket);
};

}  // namespace pssp
