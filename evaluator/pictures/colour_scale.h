#pragma once

// Color scales for loads.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pssp {

enum class Palette : std::uint8_t {
  /// By the ratio to the mean: grey for usual loads, yellow, orange, red and nearly black from 1.1,
  /// 1.25, 1.5, 2 and 3 times the mean. Darker is more, with any color vision.
  heat,
  /// The same colors by the ratio to the largest value, in equal steps.
  share,
};

/// The values from a lower limit up to that of the next class.
struct ColourClass {
  double from = 0;
  std::string colour;         ///< in graphviz's notation
  std::uint64_t members = 0;  ///< values in it
};

/// Seven classes. The mean excludes zeros.
class ColourScale {
 public:
  /// No value may be negative or infinite. O(values).
  ColourScale(std::span<const double> values, Palette palette);

  /// Number of the class, 0 .. classes().size() - 1.
  std::size_t class_of(double value) const;
  std::span<const ColourClass> classes() const noexcept { return classes_; }
  double mean() const noexcept { return mean_; }
  double largest() const noexcept { return largest_; }

 private:
  double mean_ = 0;
  double largest_ = 0;
  std::vector<ColourClass> classes_;
};

}  // namespace pssp
