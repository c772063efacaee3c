#pragma once

// Latencies in buckets whose widths grow with them: 16 to a doubling, so that a percentile is known
// to 6 %, at any length of a run and in a few hundred words.

#include <cstddef>
#include <cstdint>
#include <span>

#include "simulator/simulated_time.h"

namespace pssp {

/// Buckets for all times from 0 to `never`.
inline constexpr std::size_t latency_buckets = std::size_t{16} * 60;

/// Bucket of a latency >= 0. O(1).
std::size_t latency_bucket(SimulatedTime latency) noexcept;
/// Least latency of a bucket; of latency_buckets: `never`.
SimulatedTime latency_bound(std::size_t bucket) noexcept;

/// The latency that `share` (0 .. 1) of all packets did not exceed, interpolated inside its bucket;
/// 0 where nothing was counted. counts: latency_buckets numbers.
double latency_percentile(std::span<const std::uint64_t> counts, double share);

}  // namespace pssp
