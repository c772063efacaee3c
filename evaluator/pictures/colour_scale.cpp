#include "evaluator/pictures/colour_scale.h"

#include <algorithm>
#include <array>

namespace pssp {
namespace {

constexpr std::size_t class_count = 7;

/// Their lightness decreases, so that they are distinguishable with any color vision and in print.
/// The greens and reds of ORCS look equal to one man in twelve.
constexpr std::array<const char*, class_count> class_colours{
    "#d9e0e6", "#aebbc6", "#f2d16b", "#f2a93b", "#e66a1f", "#c01a1c", "#5f0410"};
/// Lower limits of the classes, relative to the mean.
constexpr std::array<double, class_count> heat_limits{0, 0.5, 1.1, 1.25, 1.5, 2, 3};

}  // namespace

ColourScale::ColourScale(std::span<const double> values, Palette palette) {
  double sum = 0;
  double used = 0;
  for (const double value : values) {
    largest_ = std::max(largest_, value);
    sum += value;
    if (value > 0) used += 1;
  }
  if (used > 0) mean_ = sum / used;
  for (std::size_t i = 0; i < class_count; ++i) {
    const double share = static_cast<double>(i) / class_count;
    if (palette == Palette::heat) {
      classes_.push_back({heat_limits[i] * mean_, class_colours[i]});
    } else {
      classes_.push_back({share * largest_, class_colours[i]});
    }
  }
  for (const double value : values) ++classes_[class_of(value)].members;
}

std::size_t ColourScale::class_of(double value) const {
  std::size_t number = 0;
  while (number + 1 < classes_.size() && value >= classes_[number + 1].from && value > 0) ++number;
  return number;
}

}  // namespace pssp
