// Times below 16 ps have a bucket each; of all others a bucket is named by the position of the
// highest bit and the four bits behind it.

#include "simulator/measure/latency_histogram.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace pssp {

std::size_t latency_bucket(SimulatedTime latency) noexcept {
  const auto value = static_cast<std::uint64_t>(latency);
  if (value < 16) return value;
  const auto behind = static_cast<unsigned>(std::bit_width(value)) - 5;
  return std::min(16 * std::size_t{behind} + (value >> behind), latency_buckets - 1);
}

SimulatedTime latency_bound(std::size_t bucket) noexcept {
  if (bucket < 32) return static_cast<SimulatedTime>(bucket);
  if (bucket >= latency_buckets) return never;
  const std::size_t behind = bucket / 16 - 1;
  return static_cast<SimulatedTime>((16 + bucket % 16) << behind);
}

double latency_percentile(std::span<const std::uint64_t> counts, double share) {
  const auto all = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  double left = share * static_cast<double>(all);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto count = static_cast<double>(counts[i]);
    if (count > 0 && left <= count) {
      const auto low = static_cast<double>(latency_bound(i));
      return low + (static_cast<double>(latency_bound(i + 1)) - low) * left / count;
    }
    left -= count;
  }
  return 0;
}

}  // namespace pssp
