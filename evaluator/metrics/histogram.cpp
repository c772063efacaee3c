#include "evaluator/metrics/histogram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace pssp {
namespace {

/// Number of bins up to 1, or up to the largest bandwidth if it is higher.
std::size_t bin_count(std::span<const double> bandwidths, double width) {
  // 1 / 0.05 may be slightly above 20, which does not justify a 21st bin.
  constexpr double tolerance = 1e-9;
  auto bins = static_cast<std::size_t>(std::ceil(1 / width - tolerance));
  for (const double bandwidth : bandwidths) {
    if (bandwidth <= 1) continue;
    bins = std::max(bins, static_cast<std::size_t>(std::floor(bandwidth / width + tolerance)) + 1);
  }
  return bins;
}

}  // namespace

std::vector<HistogramBin> bandwidth_histogram(std::span<const double> bandwidths, double width) {
  constexpr double min_width = 1e-6;
  if (!(width >= min_width && width <= 1)) {
    throw Error(ErrorKind::usage, fmt::format("invalid width {} of the bins of the bandwidth "
                                              "histogram; expected a width from {} to 1",
                                              width, min_width));
  }
  constexpr double margin = 1e-15;
  const std::size_t bins = bin_count(bandwidths, width);
  const double end = static_cast<double>(bins) * width + margin;
  std::vector<double> edge(bins + 1);
  for (std::size_t i = 0; i <= bins; ++i) {
    edge[i] = static_cast<double>(i) / static_cast<double>(bins) * end;
  }
  std::vector<HistogramBin> histogram(bins);
  for (std::size_t i = 0; i < bins; ++i) histogram[i] = {edge[i], edge[i + 1], 0};
  for (const double bandwidth : bandwidths) {
    const auto above = std::upper_bound(edge.begin(), edge.end(), bandwidth) - edge.begin();
    const auto bin = static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - 1, 0));
    ++histogram[std::min(bin, bins - 1)].count;
  }
  return histogram;
}

std::map<double, std::uint64_t> count_values(std::span<const double> values) {
  std::map<double, std::uint64_t> counts;
  for (const double value : values) ++counts[value];
  return counts;
}

std::vector<HistogramBin> condensed(const std::map<double, std::uint64_t>& counts,
                                    std::size_t max_bins) {
  std::vector<HistogramBin> bins;
  const auto end = counts.find(std::numeric_limits<double>::infinity());
  const auto finite = static_cast<std::size_t>(std::distance(counts.begin(), end));
  if (finite <= max_bins) {
    for (const auto& [value, count] : counts) bins.push_back({value, value, count});
    return bins;
  }
  const double first = counts.begin()->first;
  const double width = (std::prev(end)->first - first) / static_cast<double>(max_bins);
  std::size_t filled = max_bins;  // the part of the range that bins.back() covers: none yet
  for (auto i = counts.begin(); i != end; ++i) {
    const auto part = std::min(static_cast<std::size_t>((i->first - first) / width), max_bins - 1);
    if (part != filled) bins.push_back({i->first, i->first, 0});
    filled = part;
    bins.back().to = i->first;
    bins.back().count += i->second;
  }
  if (end != counts.end()) bins.push_back({end->first, end->first, end->second});
  return bins;
}

}  // namespace pssp
