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

/// Bandwidths in bins [from, to) of equal width from 0 on, empty ones too, as metric hist_acc_band
/// has them. As in ORCS the last bin ends 10^-15 above 1, and the others that much higher in
/// proportion, so that a bandwidth of exactly 1 is inside: with the width of ORCS the bins are
/// those of ORCS to the last digit. Where links faster than the usual one give more than 1, further
/// bins follow. 10^-6 <= width <= 1; throws Error(usage).
std::vector<HistogramBin> bandwidth_histogram(std::span<const double> bandwidths,
                                              double width = orcs_bin_width);

/// How often each value occurs.
std::map<double, std::uint64_t> count_values(std::span<const double> values);

/// The counts as bins [from, to] in ascending order: one for each value (from == to) while there
/// are no more than `max_bins` (> 0); else the range in so many parts of equal width, without the
/// empty ones, each told by the smallest and the largest value in it. Infinity keeps a bin of its
/// own. For counts that may have any number of different values but are to be read by people.
std::vector<HistogramBin> condensed(const std::map<double, std::uint64_t>& counts,
                                    std::size_t max_bins);

}  // namespace pssp
