#include "evaluator/metrics/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace pssp {

double percentile(std::span<const double> sorted, double percent) {
  const double position = static_cast<double>(sorted.size() - 1) * percent / 100.0;
  const double below = std::floor(position);
  const auto index = static_cast<std::size_t>(below);
  if (index + 1 >= sorted.size()) return sorted.back();
  // A weighted sum of two equal numbers could differ from them by rounding.
  return sorted[index] + (position - below) * (sorted[index + 1] - sorted[index]);
}

double SampleStatistics::percentile(int level) const {
  const auto* const found = std::find(percentile_levels.begin(), percentile_levels.end(), level);
  return percentiles[static_cast<std::size_t>(found - percentile_levels.begin())];
}

SampleStatistics describe_sample(std::span<const double> sample) {
  constexpr double normal_quantile_97_5 = 1.959963984540054;
  SampleStatistics result;
  result.count = sample.size();
  if (sample.empty()) return result;
  const auto n = static_cast<double>(sample.size());
  double sum = 0;
  for (const double value : sample) sum += value;
  result.mean = sum / n;

  std::vector<double> sorted(sample.begin(), sample.end());
  std::sort(sorted.begin(), sorted.end());
  result.min = sorted.front();
  result.max = sorted.back();
  for (std::size_t i = 0; i < percentile_levels.size(); ++i) {
    result.percentiles[i] = percentile(sorted, percentile_levels[i]);
  }

  double squares = 0;
  for (const double value : sample) squares += (value - result.mean) * (value - result.mean);
  result.variance = squares / n;
  if (sample.size() < 2) return result;
  result.standard_error = std::sqrt(squares / (n - 1) / n);
  result.lower_95 = result.mean - normal_quantile_97_5 * result.standard_error;
  result.upper_95 = result.mean + normal_quantile_97_5 * result.standard_error;
  return result;
}

}  // namespace pssp
