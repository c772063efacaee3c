#pragma once

// Estimates the rate of a link at full speed from rates of which most may be slow.

#include <cstdint>
#include <span>
#include <vector>

namespace pssp {

/// The source of the rate at full speed.
enum class FullRateBasis : std::uint8_t {
  given,     ///< specified by the user
  unshared,  ///< rates of flows that shared no link in their round
  shared,    ///< rates of flows that shared links
};

struct FullRate {
  double rate = 0;  ///< of a link of reference capacity, in the unit of the rates; 0: none
  FullRateBasis basis = FullRateBasis::unshared;
  std::uint32_t rates = 0;  ///< number of rates used
};

/// A measured rate, relative to the links of its path.
struct RelativeRate {
  double of_path = 0;   ///< over the capacity of the narrowest link: a lower bound of full speed
  double of_share = 0;  ///< relative to the max-min fair share of that link
  bool is_shared = false;
};

/// A group of similar rates and its typical rate.
struct RateCluster {
  double rate = 0;  ///< geometric mean
  std::uint32_t count = 0;
};

/// The fastest cluster of positive rates that is separate from slower ones and contains at least
/// `least_part` of all rates, and at least one. Rates within the factor exp(width) count as close.
/// Empty without rates. O(n log n).
RateCluster fastest_cluster(std::span<const double> rates, double width, double least_part);

/// Rates below this part of the expected rate are low.
inline constexpr double part_low = .8;

/// Standard deviation of logarithms of rates relative to expected rates, from their median, so that
/// a few low rates do not count. `otherwise` for fewer than eight. O(n).
double deviation_of_rates(std::span<const double> logarithms, double otherwise);
/// The same without the low rates if there are many.
double deviation_without_slow(std::span<const double> logarithms, double otherwise);

/// Since slow links lower rates and nothing raises them, full speed is the fastest cluster, not the
/// most frequent rate. O(n log n).
FullRate estimate_full_rate(std::span<const RelativeRate> rates);

}  // namespace pssp
