#pragma once

// Histograms of congestions, bandwidths and delays.

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace pssp {

struct HistogramBin {
  double from = 0;
  double to = 0;
  std::uint64_t count = 0;
  friend bool operator==(const HistogramBin&, const HistogramBin&) = default;
};

inline constexpr double orcs_bin_width = 0.05;

/// Bandwidths in bins [from, to) of equal width from 0 on, including empty ones, as in metric
/// hist_acc_band. As in ORCS, the last bin ends 10^-15 above 1, and the others proportionally
/// higher, so that a bandwidth of exactly 1 is included: with the width of ORCS, the bins are
/// exactly those of ORCS. Bandwidths above 1, from links faster than the reference, have further
/// bins. 10^-6 <= width <= 1; throws Error(usage).
std::vector<HistogramBin> bandwidth_histogram(std::span<const double> bandwidths,
                                              double width = orcs_bin_width);

/// Number of occurrences of each value.
std::map<double, std::uint64_t> count_values(std::span<const double> values);

/// Bins [from, to] in ascending order: one per value (from == to) if there are at most `max_bins`
/// (> 0) values; else nonempty parts of equal width, each with its smallest and largest value.
/// Infinity has its own bin. For reports with any number of different values.
std::vector<HistogramBin> condensed(const std::map<double, std::uint64_t>& counts,
                                    std::size_t max_bins);

}  // namespace pssp
