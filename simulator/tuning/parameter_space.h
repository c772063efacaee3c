#pragma once

// Which parameters of congestion control a search varies, and in which range.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pssp {

/// One parameter: the values of a list, or the whole numbers of a range (of a time: its units).
struct TuningAxis {
  std::string name;                 ///< "CCTI_Timer", or as in a parameter file
  std::vector<std::string> values;  ///< of a list; empty: a range
  double low = 0, high = 0;         ///< of a range, in units
  double unit_ns = 0;               ///< of a range of times; 0: numbers

  /// A range that spans a factor of 8 is divided by ratios, others evenly.
  bool is_by_ratio() const noexcept;
  /// The value at a place of [0, 1].
  std::string value_at(double place) const;
  /// The place of the value that is nearest to this one (of times in nanoseconds), in [0, 1].
  double place_of(double number) const;
  /// A value of this axis as a number, times in nanoseconds; the position in a list of what is no
  /// number.
  double number_of(const std::string& value) const;
};

/// "NAME=LOW..HIGH" or "NAME=V1,V2,..". Throws Error(usage).
TuningAxis parse_tuning_axis(std::string_view text);

/// What is searched unless something else is asked for: "CCTI_Timer=10us..2ms" ..
std::span<const std::string_view> default_tuning_axes();

/// A place of the search, each coordinate in [0, 1].
using TuningPoint = std::vector<double>;

struct ParameterSpace {
  std::vector<TuningAxis> axes;

  /// Names and values of a point.
  std::vector<std::pair<std::string, std::string>> changes_at(const TuningPoint& point) const;
  /// Points of which each has a stratum of its own of every axis (McKay, Beckman, Conover,
  /// "A comparison of three methods for selecting values of input variables", 1979). The same for
  /// the same seed.
  std::vector<TuningPoint> latin_hypercube(std::size_t count, std::uint64_t seed) const;
  /// Points a step along each axis, up and down, inside the space.
  std::vector<TuningPoint> neighbours(const TuningPoint& point, double step) const;
};

}  // namespace pssp
