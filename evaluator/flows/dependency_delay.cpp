#include "evaluator/flows/dependency_delay.h"

#include <algorithm>
#include <cmath>

namespace pssp {

DependencyDelay::DependencyDelay(std::uint32_t observed_ranks)
    : observed_(observed_ranks), before_(observed_ranks), now_(observed_ranks) {}

void DependencyDelay::clear() {
  std::fill(before_.begin(), before_.end(), 0.0);
  std::fill(now_.begin(), now_.end(), 0.0);
  longest_ = 0;
}

void DependencyDelay::add(std::span<const Flow> ranks, std::span<const double> congestion) {
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto [source, destination] = ranks[i];
    if (source >= observed_ || destination >= observed_ || std::isinf(congestion[i])) continue;
    const double end = before_[source] + congestion[i];
    now_[destination] = std::max(now_[destination], end);
    longest_ = std::max(longest_, end);
  }
}

void DependencyDelay::end_level() {
  before_.swap(now_);
  std::fill(now_.begin(), now_.end(), 0.0);
}

}  // namespace pssp
