#pragma once

// The parameters of congestion control that a search varies, and their ranges.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pssp {

/// One parameter: the values of a list, or the integers of a range (for times: in units).
struct TuningAxis {
  std::string name;                 ///< "CCTI_Timer", or as in a parameter file
  std::vector<std::string> values;  ///< of a list; empty: a range
  double low = 0, high = 0;         ///< range in units
  double unit_ns = 0;               ///< of ranges of times; 0: numbers

  /// Ranges that span at least a factor of 8 are divided by ratios, others evenly.
  bool is_by_ratio() const noexcept;
  /// The value at a position in [0, 1].
  std::string value_at(double place) const;
  /// The position in [0, 1] of the nearest value (times in nanoseconds).
  double place_of(double number) const;
  /// A value of this axis as a number, times in nanoseconds; for other values, the position in the
  /// list.
  double number_of(const std::string& value) const;
};

/// "NAME=LOW..HIGH" or "NAME=V1,V2,..". Throws Error(usage).
TuningAxis parse_tuning_axis(std::string_view text);

/// The axes that are searched by default: "CCTI_Timer=10us..2ms" ..
std::span<const std::string_view> default_tuning_axes();

/// A point of the search, each coordinate in [0, 1].
using TuningPoint = std::vector<double>;

struct ParameterSpace {
  std::vector<TuningAxis> axes;

  /// Names and values of a point.
  std::vector<std::pair<std::string, std::string>> changes_at(const TuningPoint& point) const;
  /// Points that each have their own stratum of every axis (McKay, Beckman, Conover, "A comparison
  /// of three methods for selecting values of input variables", 1979). Depends only on count and
  /// seed.
  std::vector<TuningPoint> latin_hypercube(std::size_t count, std::uint64_t seed) const;
  /// The points one step along each axis in both directions, inside the space.
  std::vector<TuningPoint> neighbours(const TuningPoint& point, double step) const;
};

}  // namespace pssp
