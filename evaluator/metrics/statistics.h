#pragma once

// Statistics of a sample of numbers: bandwidths of bisections, sums of congestions, delays.

#include <array>
#include <cstdint>
#include <limits>
#include <span>

namespace pssp {

/// Levels of SampleStatistics::percentiles in percent.
inline constexpr std::array<int, 7> percentile_levels{1, 5, 25, 50, 75, 95, 99};

/// Undefined values are NaN: everything for an empty sample, the errors for a single number.
struct SampleStatistics {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::uint64_t count = 0;
  double mean = unknown;
  /// Of the mean: sqrt(sum of squared deviations / (count - 1) / count).
  double standard_error = unknown;
  double lower_95 = unknown;  ///< mean -/+ 1.96 standard errors
  double upper_95 = unknown;
  double min = unknown;
  double max = unknown;
  /// Of the sample, divided by count, as in ORCS.
  double variance = unknown;
  /// By percentile_levels; linear interpolation in the sorted sample (definition 7 of Hyndman and
  /// Fan, "Sample quantiles in statistical packages", 1996).
  std::array<double, percentile_levels.size()> percentiles{unknown, unknown, unknown, unknown,
                                                           unknown, unknown, unknown};

  /// Of one of percentile_levels.
  double percentile(int level) const;
};

/// The numbers must be finite. Sums run in the order of the sample. O(n log n), with a copy.
SampleStatistics describe_sample(std::span<const double> sample);

/// The number below which `percent` % of the sample lie, as defined for SampleStatistics. `sorted`
/// must be nonempty and ascending; 0 <= percent <= 100.
double percentile(std::span<const double> sorted, double percent);

}  // namespace pssp
