#pragma once

// Fits the bytes of a channel over time by a weighted sum of activities.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"

namespace pssp {

/// Series that add up to the traffic of a channel, with unknown factors.
struct TimeFit {
  std::size_t sweeps = 0;
  std::vector<double> bytes;       ///< of the channel; below 0 if unknown, and the sweep does not
                                   ///< count
  std::vector<double> activities;  ///< [series * sweeps + sweep], not negative
  std::vector<double> prior;       ///< initial factor of each series

  std::span<const double> activity(std::size_t series) const noexcept {
    return std::span(activities).subspan(series * sweeps, sweeps);
  }
};

/// Factors by series, not negative. `weights` says how often each sweep counts; sweeps with unknown
/// bytes do not count. Uses Richardson-Lucy iterations, which keep the sum; series that the sweeps
/// cannot tell apart keep the proportion of the prior. O(iterations * series * sweeps).
std::vector<double> fit_factors(const TimeFit& fit, std::span<const double> weights);
/// The same with a weight of 1 for each sweep.
std::vector<double> fit_factors(const TimeFit& fit);

/// How often each sweep is drawn by a circular block bootstrap (Politis and Romano, 1992). The
/// block length is the cube root of the number of sweeps, because neighboring sweeps are similar.
std::vector<double> draw_sweeps(std::size_t sweeps, RandomGenerator& random);

/// Pearson's correlation; 0 if one of the series is constant.
double correlation(std::span<const double> a, std::span<const double> b);
/// Standard deviation over mean; 0 if the series is empty or its mean is not positive.
double variation(std::span<const double> series);

}  // namespace pssp
