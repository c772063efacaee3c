#pragma once

// Colours for loads.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pssp {

enum class Palette : std::uint8_t {
  /// By the ratio to the mean: grey where it is the usual one, yellow, orange, red and nearly black
  /// from 1.1, 1.25, 1.5, 2 and 3 times the mean. Darker is more, for every eye.
  heat,
  /// The same colours by the share of the largest, in equal steps.
  share,
};

/// Values from some lower limit on, up to the next class's.
struct ColourClass {
  double from = 0;
  std::string colour;         ///< as graphviz takes it
  std::uint64_t members = 0;  ///< values in it
};

/// Seven classes. The mean is that of the values above 0.
class ColourScale {
 public:
  /// No value is negative or infinite. O(values).
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
