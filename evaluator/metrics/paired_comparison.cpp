#include "evaluator/metrics/paired_comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "evaluator/metrics/statistics.h"

namespace pssp {
namespace {

constexpr std::uint64_t least_runs = 30;
constexpr double significance_level = 0.05;

PairedDifference difference(const std::vector<double>& first, const std::vector<double>& other) {
  std::vector<double> differences;
  differences.reserve(other.size());
  for (std::size_t run = 0; run < std::min(first.size(), other.size()); ++run) {
    if (!std::isfinite(first[run]) || !std::isfinite(other[run])) continue;
    differences.push_back(other[run] - first[run]);
  }
  const SampleStatistics sample = describe_sample(differences);
  PairedDifference result{.runs = sample.count,
                          .mean = sample.mean,
                          .standard_error = sample.standard_error,
                          .lower_95 = sample.lower_95,
                          .upper_95 = sample.upper_95};
  if (sample.count < 2) return result;
  if (sample.min == sample.max) {
    // Rounding of sums can show a spread where all differences are equal.
    result.mean = result.lower_95 = result.upper_95 = sample.min;
    result.standard_error = 0;
  }
  result.z = result.mean == 0 ? 0 : result.mean / result.standard_error;
  result.p = std::erfc(std::abs(result.z) / std::sqrt(2.0));
  return result;
}

/// The k-th smallest is multiplied by m - k + 1, and is at least the previous one.
void adjust_by_holm(std::vector<PairedDifference>& differences) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    if (!std::isnan(differences[i].p)) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return differences[a].p < differences[b].p;
  });
  double largest = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    PairedDifference& each = differences[order[k]];
    largest = std::max(largest, each.p * static_cast<double>(order.size() - k));
    each.adjusted_p = std::min(1.0, largest);
  }
}

PairedVerdict verdict_on(const PairedDifference& difference, Better better) {
  if (difference.runs < least_runs) return PairedVerdict::too_few_runs;
  if (difference.lower_95 == 0 && difference.upper_95 == 0) return PairedVerdict::same;
  if (difference.adjusted_p >= significance_level) return PairedVerdict::no_difference;
  return (difference.mean > 0) == (better == Better::higher) ? PairedVerdict::better
                                                             : PairedVerdict::worse;
}

}  // namespace

std::vector<PairedDifference> compare_with_first(std::span<const std::vector<double>> samples,
                                                 Better better) {
  std::vector<PairedDifference> differences;
  for (std::size_t i = 1; i < samples.size(); ++i) {
    differences.push_back(difference(samples.front(), samples[i]));
  }
  adjust_by_holm(differences);
  for (PairedDifference& each : differences) each.verdict = verdict_on(each, better);
  return differences;
}

}  // namespace pssp
