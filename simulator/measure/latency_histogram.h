#pragma once

// Latencies: exact number, sum, minimum and maximum; percentiles from 256 buckets per doubling, so
// that they are accurate to .4 % for any run length.

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
/// Smallest latency of a bucket; of latency_buckets: `never`.
SimulatedTime latency_bound(std::size_t bucket) noexcept;

struct LatencyHistogram {
  std::uint64_t count = 0;
  std::uint64_t sum = 0, carries = 0;  ///< picoseconds; one carry is 2^64
  SimulatedTime least = never, most = 0;
  /// Counts of the buckets from `first` on, because only a part of all buckets is ever needed.
  std::size_t first = 0;
  std::vector<std::uint64_t> counts;

  /// latency >= 0. O(1) once the bucket exists.
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
  /// Picoseconds; 0 without latencies.
  double mean() const noexcept;
  /// The latency that `share` (0 .. 1) of all packets did not exceed, interpolated within its
  /// bucket; 0 without latencies.
  double percentile(double share) const noexcept;
  std::size_t bytes() const noexcept { return counts.capacity() * sizeof(std::uint64_t); }

  friend bool operator==(const LatencyHistogram&, const LatencyHistogram&) = default;

 private:
  void make_room(std::size_t bucket);
};

}  // namespace pssp
