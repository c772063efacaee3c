#pragma once

// The rate of a link at full speed, estimated from rates of which most may be slow.

#include <cstdint>
#include <span>
#include <vector>

namespace pssp {

/// What the rate at full speed rests on.
enum class FullRateBasis : std::uint8_t {
  given,     ///< specified by the user
  unshared,  ///< rates of flows that shared no link in their round
  shared,    ///< rates of flows that shared links
};

struct FullRate {
  double rate = 0;  ///< of a link of reference capacity, in the unit of the rates; 0: none measured
  FullRateBasis basis = FullRateBasis::unshared;
  std::uint32_t rates = 0;  ///< how many it rests on
};

/// A measured rate, relative to the links of its path.
struct RelativeRate {
  double of_path = 0;   ///< over the capacity of the narrowest link: a lower bound of full speed
  double of_share = 0;  ///< over the max-min fair share of that link
  bool is_shared = false;
};

/// A rate is typical of a group of rates that lie close together.
struct RateCluster {
  double rate = 0;  ///< geometric mean
  std::uint32_t count = 0;
};

/// The fastest cluster of positive rates that lies apart from slower ones and holds at least
/// `least_part` of all rates, and at least one. Rates within the factor exp(width) count as close.
/// No rates: 0 of them. O(n log n).
RateCluster fastest_cluster(std::span<const double> rates, double width, double least_part);

/// Rates below this part of what is expected are low.
inline constexpr double part_low = .8;

/// Standard deviation of logarithms of rates, relative to what is expected: by their median, so
/// that a few low rates do not count. `otherwise` of fewer than eight. O(n).
double deviation_of_rates(std::span<const double> logarithms, double otherwise);
/// The same without the low rates where they are many.
double deviation_without_slow(std::span<const double> logarithms, double otherwise);

/// Slow links lower rates and nothing raises them, so full speed is the fastest cluster and not the
/// most frequent rate. O(n log n).
FullRate estimate_full_rate(std::span<const RelativeRate> rates);

}  // namespace pssp
