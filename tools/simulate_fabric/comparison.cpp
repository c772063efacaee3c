// Both sides of a difference have the same traffic, so the effects of a seed's traffic cancel out.

#include <algorithm>
#include <array>

#include "tools/simulate_fabric/report.h"

namespace pssp {

std::vector<VariantComparison> compare_variants(const Simulation& simulation) {
  std::vector<VariantComparison> comparisons;
  if (simulation.variants.empty()) return comparisons;
  const std::vector<double> first = simulation.figures(0);
  for (std::size_t v = 1; v < simulation.variants.size(); ++v) {
    const std::vector<double> other = simulation.figures(v);
    std::vector<double> differences;
    for (std::size_t i = 0; i < std::min(first.size(), other.size()); ++i) {
      differences.push_back(other[i] - first[i]);
    }
    VariantComparison comparison;
    comparison.variant = v;
    comparison.difference = mean_of(differences);
    comparison.known = differences.size() > 1;
    const double base = mean_of(first).mean;
    if (base != 0) comparison.relative = comparison.difference.mean / base;
    comparisons.push_back(comparison);
  }
  return comparisons;
}

std::string_view end_name(RunEnd end) {
  constexpr std::array<std::string_view, 6> names{"duration", "all_delivered", "deadlock",
                                                  "stopped",  "most_events",   "most_bytes"};
  return names.at(static_cast<std::size_t>(end));
}

}  // namespace pssp
