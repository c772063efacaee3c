#pragma once

// Which sum of activities makes the bytes of a channel over time.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"

namespace pssp {

/// Series that add up to what a channel carried, with unknown factors.
struct TimeFit {
  std::size_t sweeps = 0;
  std::vector<double> bytes;       ///< of the channel; below 0: unknown, that sweep does not count
  std::vector<double> activities;  ///< [series * sweeps + sweep], none below 0
  std::vector<double> prior;       ///< by series: the factor to begin with

  std::span<const double> activity(std::size_t series) const noexcept {
    return std::span(activities).subspan(series * sweeps, sweeps);
  }
};

/// Factors by series, none below 0, from `weights` (how often each sweep counts; those of unknown
/// bytes do not): Richardson-Lucy iterations, which keep the sum and leave in proportion to the
/// prior what the sweeps do not tell apart. O(iterations * series * sweeps).
std::vector<double> fit_factors(const TimeFit& fit, std::span<const double> weights);
/// The same with each sweep once.
std::vector<double> fit_factors(const TimeFit& fit);

/// How often each sweep is drawn by a circular block bootstrap (Politis and Romano, 1992): blocks
/// of the cube root of the number of sweeps, since neighbours resemble each other.
std::vector<double> draw_sweeps(std::size_t sweeps, RandomGenerator& random);

/// Pearson's correlation; 0 where one of them does not vary.
double correlation(std::span<const double> a, std::span<const double> b);
/// Standard deviation over mean; 0 of nothing.
double variation(std::span<const double> series);

}  // namespace pssp
