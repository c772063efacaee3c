#include "monitor/analysis/time_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pssp {
namespace {

constexpr int fit_iterations = 60;

double mean_of(std::span<const double> series) {
  return std::accumulate(series.begin(), series.end(), 0.0) / static_cast<double>(series.size());
}

}  // namespace

std::vector<double> fit_factors(const TimeFit& fit, std::span<const double> weights) {
  const std::size_t count = fit.prior.size();
  std::vector<double> factors = fit.prior;
  std::vector<std::size_t> used;
  for (std::size_t t = 0; t < fit.sweeps; ++t) {
    if (fit.bytes[t] >= 0 && weights[t] > 0) used.push_back(t);
  }
  std::vector<double> total(count, 0);
  for (std::size_t k = 0; k < count; ++k) {
    for (const std::size_t t : used) total[k] += weights[t] * fit.activity(k)[t];
  }
  std::vector<double> ratio(used.size());
  for (int iteration = 0; iteration < fit_iterations; ++iteration) {
    for (std::size_t i = 0; i < used.size(); ++i) {
      double expected = 0;
      for (std::size_t k = 0; k < count; ++k) expected += factors[k] * fit.activity(k)[used[i]];
      ratio[i] = expected > 0 ? weights[used[i]] * fit.bytes[used[i]] / expected : 0;
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (total[k] <= 0) continue;
      double sum = 0;
      for (std::size_t i = 0; i < used.size(); ++i) sum += fit.activity(k)[used[i]] * ratio[i];
      factors[k] *= sum / total[k];
    }
  }
  return factors;
}

std::vector<double> fit_factors(const TimeFit& fit) {
  return fit_factors(fit, std::vector<double>(fit.sweeps, 1.0));
}

std::vector<double> draw_sweeps(std::size_t sweeps, RandomGenerator& random) {
  const auto block = std::max<std::size_t>(
      1, static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(sweeps)))));
  std::vector<double> drawn(sweeps, 0);
  for (std::size_t have = 0; have < sweeps;) {
    const std::size_t first = random.below(static_cast<std::uint32_t>(sweeps));
    for (std::size_t i = 0; i < block && have < sweeps; ++i, ++have) {
      drawn[(first + i) % sweeps] += 1;
    }
  }
  return drawn;
}

double correlation(std::span<const double> a, std::span<const double> b) {
  if (a.empty()) return 0;
  const double mean_a = mean_of(a);
  const double mean_b = mean_of(b);
  double aa = 0;
  double bb = 0;
  double ab = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa += (a[i] - mean_a) * (a[i] - mean_a);
    bb += (b[i] - mean_b) * (b[i] - mean_b);
    ab += (a[i] - mean_a) * (b[i] - mean_b);
  }
  return aa <= 0 || bb <= 0 ? 0 : ab / std::sqrt(aa * bb);
}

double variation(std::span<const double> series) {
  if (series.empty()) return 0;
  const double mean = mean_of(series);
  if (mean <= 0) return 0;
  double squares = 0;
  for (const double value : series) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(series.size())) / mean;
}

}  // namespace pssp
