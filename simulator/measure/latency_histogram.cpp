// Times below 256 ps have one bucket each; other times share a bucket if the highest bit has the
// same position and the next eight bits are equal.

#include "simulator/measure/latency_histogram.h"

#include <bit>
#include <cmath>

namespace pssp {
namespace {

constexpr unsigned bits_behind = 8;
constexpr std::size_t in_a_doubling = std::size_t{1} << bits_behind;

}  // namespace

std::size_t latency_bucket(SimulatedTime latency) noexcept {
  const auto value = static_cast<std::uint64_t>(latency);
  if (value < in_a_doubling) return value;
  const auto behind = static_cast<unsigned>(std::bit_width(value)) - bits_behind - 1;
  return std::min(in_a_doubling * behind + (value >> behind), latency_buckets - 1);
}

SimulatedTime latency_bound(std::size_t bucket) noexcept {
  if (bucket < 2 * in_a_doubling) return static_cast<SimulatedTime>(bucket);
  if (bucket >= latency_buckets) return never;
  const std::size_t behind = bucket / in_a_doubling - 1;
  return static_cast<SimulatedTime>((in_a_doubling + bucket % in_a_doubling) << behind);
}

void LatencyHistogram::make_room(std::size_t bucket) {
  if (counts.empty()) first = bucket;
  if (bucket < first) {
    counts.insert(counts.begin(), first - bucket, 0);
    first = bucket;
  }
  counts.resize(std::max(counts.size(), bucket - first + 1));
}

double LatencyHistogram::mean() const noexcept {
  if (count == 0) return 0;
  constexpr int bits_of_a_carry = 64;
  const double whole = std::ldexp(static_cast<double>(carries), bits_of_a_carry);
  return (whole + static_cast<double>(sum)) / static_cast<double>(count);
}

double LatencyHistogram::percentile(double share) const noexcept {
  if (count == 0) return 0;
  double left = share * static_cast<double>(count);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto here = static_cast<double>(counts[i]);
    if (here > 0 && left <= here) {
      const auto low = static_cast<double>(latency_bound(first + i));
      const double width = static_cast<double>(latency_bound(first + i + 1)) - low;
      return std::clamp(low + width * left / here, static_cast<double>(least),
                        static_cast<double>(most));
    }
    left -= here;
  }
  return static_cast<double>(most);
}

}  // namespace pssp
