// A window of fixed width scans the logarithms of the rates from the fastest down. A cluster ends
// where the window contains fewer than half as many rates as at its densest position, one width
// higher. The tail of a single cluster does not end it: counts rise from there to the mode. The
// usual estimate, the most frequent rate, would be wrong if most links are slow.

#include "operations/diagnosis/full_rate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace pssp {
namespace {

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Fewer rates are insufficient.
constexpr std::size_t enough = 8;

/// Standard deviation of a normal distribution, estimated from absolute values of a sample.
double deviation_of(std::vector<double> absolute, double otherwise) {
  constexpr double deviation_of_median = 1.4826, least = .02;
  if (absolute.size() < enough) return otherwise;
  return std::max(least, deviation_of_median * median_of(std::move(absolute)));
}

/// Mean and number of the values (descending) from `low` to `high`.
RateCluster mean_between(std::span<const double> values, double low, double high) {
  RateCluster cluster;
  double sum = 0;
  const auto first = std::ranges::lower_bound(values, high, std::greater<>());
  for (auto each = first; each != values.end() && *each >= low; ++each) {
    sum += *each;
    ++cluster.count;
  }
  if (cluster.count != 0) cluster.rate = sum / cluster.count;
  return cluster;
}

/// Upper end of the densest window of the fastest cluster.
double top_of_fastest(std::span<const double> values, double width, std::size_t least) {
  constexpr double steps_of_width = 5;
  double peak_top = values.front();
  std::size_t peak = 0;         // rates in the densest window so far
  std::size_t group_first = 0;  // first rate after the clusters that were too small
  std::size_t first = 0, last = 0;
  for (std::size_t step = 0; first < values.size(); ++step) {
    const double top = values.front() - width / steps_of_width * static_cast<double>(step);
    while (first < values.size() && values[first] > top) ++first;
    while (last < values.size() && values[last] >= top - width) ++last;
    const std::size_t count = last - std::min(first, last);
    if (count > peak) {
      peak = count;
      peak_top = top;
    } else if (2 * count < peak && top <= peak_top - width) {
      if (last - group_first >= least) break;
      group_first = last;
      peak = count;
      peak_top = top;
    }
  }
  return peak_top;
}

}  // namespace

RateCluster fastest_cluster(std::span<const double> rates, double width, double least_part) {
  if (rates.empty()) return {};
  std::vector<double> values;
  values.reserve(rates.size());
  for (const double rate : rates) values.push_back(std::log(rate));
  std::ranges::sort(values, std::greater<>());
  const double least = std::max(1.0, least_part * static_cast<double>(values.size()));
  const double top = top_of_fastest(values, width, static_cast<std::size_t>(least));
  RateCluster cluster = mean_between(values, top - width, top);
  // Repeated around the mean, because the window's position is only as precise as its step.
  cluster = mean_between(values, cluster.rate - width, cluster.rate + width);
  cluster.rate = std::exp(cluster.rate);
  return cluster;
}

double deviation_of_rates(std::span<const double> logarithms, double otherwise) {
  std::vector<double> all;
  for (const double value : logarithms) all.push_back(std::abs(value));
  return deviation_of(std::move(all), otherwise);
}

double deviation_without_slow(std::span<const double> logarithms, double otherwise) {
  constexpr std::size_t many = 5;  // a fifth of all
  std::vector<double> fast, above;
  for (const double value : logarithms) {
    if (value > std::log(part_low)) fast.push_back(std::abs(value));
    if (value >= 0) above.push_back(value);
  }
  if (many * (logarithms.size() - fast.size()) <= logarithms.size()) {
    return deviation_of_rates(logarithms, otherwise);
  }
  // Slow clusters are not noise, because noise is symmetric.
  if (fast.size() >= enough) {
    return std::max(deviation_of(std::move(fast), otherwise), deviation_of(std::move(above), 0));
  }
  // Nearly all rates are in the cluster: its own deviation is the noise.
  std::vector<double> values(logarithms.begin(), logarithms.end());
  const double middle = median_of(values);
  for (double& value : values) value = std::abs(value - middle);
  return deviation_of(std::move(values), otherwise);
}

FullRate estimate_full_rate(std::span<const RelativeRate> rates) {
  constexpr std::size_t enough_part = 10;  // or a tenth of all
  constexpr double width = .1, least_part = .01;
  // Fair shares only approximate the rates of flows.
  constexpr double width_shared = .3, least_part_shared = .3, least_part_paths = .25;
  std::vector<double> unshared, shares, shared_paths;
  for (const RelativeRate& each : rates) {
    shares.push_back(each.of_share);
    (each.is_shared ? shared_paths : unshared).push_back(each.of_path);
  }
  const bool is_unshared = !unshared.empty() && (unshared.size() >= enough ||
                                                 enough_part * unshared.size() >= rates.size());
  RateCluster cluster = is_unshared ? fastest_cluster(unshared, width, least_part)
                                    : fastest_cluster(shares, width_shared, least_part_shared);
  FullRate full{cluster.rate, is_unshared ? FullRateBasis::unshared : FullRateBasis::shared,
                cluster.count};
  // A link that carried a rate can carry it, with or without other flows.
  cluster = fastest_cluster(shared_paths, width_shared, least_part_paths);
  if (cluster.rate > full.rate) full = {cluster.rate, FullRateBasis::shared, cluster.count};
  if (!is_unshared) {
    cluster = fastest_cluster(unshared, width, least_part);
    if (cluster.rate > full.rate) full = {cluster.rate, FullRateBasis::unshared, cluster.count};
  }
  return full;
}

}  // namespace pssp
