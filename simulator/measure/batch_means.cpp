// Law recommends twenty batches: more are too short to be independent, and fewer widen the interval
// without improving it.

#include "simulator/measure/batch_means.h"

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

namespace pssp {

double student_975(std::size_t degrees) {
  // Abramowitz, Stegun, table 26.10.
  static constexpr std::array quantiles{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                                        2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                                        2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                                        2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
  if (degrees <= quantiles.size()) return quantiles.at(degrees - 1);
  // The first terms of the expansion in 1 / degrees (26.7.5), exact to three digits from here on.
  constexpr double normal = 1.959964;
  const auto n = static_cast<double>(degrees);
  return normal + (normal * normal * normal + normal) / (4 * n);
}

MeanEstimate mean_of(std::span<const double> values) {
  MeanEstimate estimate;
  estimate.values = values.size();
  if (values.empty()) return estimate;
  const auto n = static_cast<double>(values.size());
  estimate.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  estimate.lower_95 = estimate.upper_95 = estimate.mean;
  if (values.size() < 2) return estimate;
  double squares = 0;
  for (const double value : values) squares += (value - estimate.mean) * (value - estimate.mean);
  estimate.standard_error = std::sqrt(squares / (n - 1) / n);
  const double half = student_975(values.size() - 1) * estimate.standard_error;
  estimate.lower_95 = estimate.mean - half;
  estimate.upper_95 = estimate.mean + half;
  return estimate;
}

MeanEstimate mean_of_batches(std::span<const double> samples) {
  constexpr std::size_t most_batches = 20;
  const std::size_t size = std::max<std::size_t>(1, samples.size() / most_batches);
  std::vector<double> batches;
  for (std::size_t first = 0; first + size <= samples.size(); first += size) {
    const auto batch = samples.subspan(first, size);
    batches.push_back(std::accumulate(batch.begin(), batch.end(), 0.0) / static_cast<double>(size));
  }
  MeanEstimate estimate = mean_of(batches);
  if (samples.empty()) return estimate;
  const double mean =
      std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(samples.size());
  const double shift = mean - estimate.mean;
  estimate.mean = mean;
  estimate.lower_95 += shift;
  estimate.upper_95 += shift;
  return estimate;
}

}  // namespace pssp
