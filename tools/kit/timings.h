#pragma once

// How long the repetitions of one step took.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>
#include <vector>

namespace pssp {

/// Milliseconds; best() and median() want one measurement at least.
class Timings {
 public:
  template <class Step>
  auto measure(Step&& step) {
    const auto start = std::chrono::steady_clock::now();
    auto result = std::forward<Step>(step)();
    const auto end = std::chrono::steady_clock::now();
    milliseconds_.push_back(std::chrono::duration<double, std::milli>(end - start).count());
    return result;
  }
  double best() const { return *std::min_element(milliseconds_.begin(), milliseconds_.end()); }
  double median() const {
    std::vector<double> sorted = milliseconds_;
    std::sort(sorted.begin(), sorted.end());
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 != 0 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

 private:
  std::vector<double> milliseconds_;
};

}  // namespace pssp
