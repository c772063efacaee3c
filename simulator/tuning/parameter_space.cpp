// Ranges are mapped to [0, 1], so that step sizes are comparable for all parameters. CCTI_Timer has
// its own units of 1.024 us: points that devices cannot distinguish have the same value, and are
// simulated once.

#include "simulator/tuning/parameter_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.h"
#include "base/printable.h"
#include "base/random.h"
#include "base/text_lines.h"
#include "congestion/parameter_values.h"
#include "simulator/values.h"

namespace pssp {
namespace {

constexpr std::array<std::string_view, 4> usual_axes{"CCTI_Timer=10us..2ms", "Marking_Rate=0..50",
                                                     "table.flows=4..128", "Threshold=1..15"};

constexpr std::uint64_t hypercube_purpose = 0x7475'6e69'6e67;

[[noreturn]] void refuse_axis(std::string_view text) {
  throw Error(ErrorKind::usage, fmt::format("'{}': expected NAME=LOW..HIGH or NAME=V1,V2,.. as in "
                                            "CCTI_Timer=20us..1ms or Threshold=2,8,15",
                                            excerpt(text)));
}

std::optional<double> whole_number(std::string_view text) {
  try {
    return read_number(text, 0, std::numeric_limits<std::uint32_t>::max());
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Nanoseconds.
std::optional<double> time_with_unit(std::string_view text) {
  if (!text.ends_with('s')) return std::nullopt;
  try {
    return static_cast<double>(read_time(text)) / double{picoseconds_per_nanosecond};
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool is_ccti_timer(std::string_view name) {
  return name == "CCTI_Timer" || name.ends_with("ccti_timer");
}

void set_range(std::string_view text, std::string_view low, std::string_view high,
               TuningAxis& axis) {
  const auto first = time_with_unit(low);
  const auto last = time_with_unit(high);
  if (first && last) {
    axis.unit_ns = is_ccti_timer(axis.name) ? 1024 : 1;
    axis.low = std::max(1.0, std::round(*first / axis.unit_ns));
    axis.high = std::round(*last / axis.unit_ns);
  } else {
    const auto from = whole_number(low);
    const auto to = whole_number(high);
    if (!from || !to) refuse_axis(text);
    axis.low = *from;
    axis.high = *to;
  }
  if (axis.low > axis.high) refuse_axis(text);
}

}  // namespace

bool TuningAxis::is_by_ratio() const noexcept {
  constexpr double wide = 8;
  return values.empty() && high >= wide * std::max(1.0, low);
}

std::string TuningAxis::value_at(double place) const {
  place = std::clamp(place, 0.0, 1.0);
  if (!values.empty()) {
    const auto count = static_cast<double>(values.size());
    return values[static_cast<std::size_t>(std::min(count - 1, std::floor(place * count)))];
  }
  // A range that begins at 0 uses ratios of the number plus one.
  const double shift = low < 1 ? 1 : 0;
  const double number =
      is_by_ratio() ? (low + shift) * std::pow((high + shift) / (low + shift), place) - shift
                    : low + (high - low) * place;
  const double rounded = std::clamp(std::round(number), low, high);
  if (unit_ns == 0) return fmt::format("{:.0f}", rounded);
  if (is_ccti_timer(name)) return ccti_timer_as_time(static_cast<std::uint16_t>(rounded));
  return nanoseconds_text(static_cast<std::uint64_t>(rounded));
}

double TuningAxis::number_of(const std::string& value) const {
  if (const auto time = time_with_unit(value)) return *time;
  if (const auto number = whole_number(value)) return *number;
  return static_cast<double>(std::ranges::find(values, value) - values.begin());
}

double TuningAxis::place_of(double number) const {
  if (!values.empty()) {
    const auto distance = [&](const std::string& value) {
      return std::abs(number_of(value) - number);
    };
    const auto nearest = std::ranges::min_element(values, {}, distance) - values.begin();
    return (static_cast<double>(nearest) + 0.5) / static_cast<double>(values.size());
  }
  const double in_units = std::clamp(unit_ns == 0 ? number : number / unit_ns, low, high);
  if (low == high) return 0;
  if (!is_by_ratio()) return (in_units - low) / (high - low);
  const double shift = low < 1 ? 1 : 0;
  return std::log((in_units + shift) / (low + shift)) / std::log((high + shift) / (low + shift));
}

TuningAxis parse_tuning_axis(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) refuse_axis(text);
  TuningAxis axis;
  axis.name = std::string(trimmed(text.substr(0, equals)));
  const std::string_view rest = text.substr(equals + 1);
  const std::size_t dots = rest.find("..");
  if (dots != std::string_view::npos) {
    set_range(text, trimmed(rest.substr(0, dots)), trimmed(rest.substr(dots + 2)), axis);
    constexpr double most_timer_units = 65535;
    if (is_ccti_timer(axis.name) && axis.high > most_timer_units) refuse_axis(text);
    return axis;
  }
  std::size_t from = 0;
  while (from <= rest.size()) {
    const std::size_t comma = std::min(rest.find(',', from), rest.size());
    const std::string value(trimmed(rest.substr(from, comma - from)));
    if (value.empty()) refuse_axis(text);
    if (std::ranges::find(axis.values, value) == axis.values.end()) axis.values.push_back(value);
    from = comma + 1;
  }
  return axis;
}

std::span<const std::string_view> default_tuning_axes() { return usual_axes; }

std::vector<std::pair<std::string, std::string>> ParameterSpace::changes_at(
    const TuningPoint& point) const {
  std::vector<std::pair<std::string, std::string>> changes;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    changes.emplace_back(axes[a].name, axes[a].value_at(point[a]));
  }
  return changes;
}

std::vector<TuningPoint> ParameterSpace::latin_hypercube(std::size_t count,
                                                         std::uint64_t seed) const {
  std::vector<TuningPoint> points(count, TuningPoint(axes.size()));
  for (std::size_t a = 0; a < axes.size(); ++a) {
    RandomGenerator random = random_stream(seed, hypercube_purpose, a);
    const auto strata = random_permutation(static_cast<std::uint32_t>(count), random);
    for (std::size_t i = 0; i < count; ++i) {
      points[i][a] =
          (static_cast<double>(strata[i]) + unit_interval(random())) / static_cast<double>(count);
    }
  }
  return points;
}

std::vector<TuningPoint> ParameterSpace::neighbours(const TuningPoint& point, double step) const {
  std::vector<TuningPoint> points;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    // In a list, a step is at least one value.
    const double least =
        axes[a].values.empty() ? 0 : 1 / static_cast<double>(axes[a].values.size());
    for (const double direction : {-1.0, 1.0}) {
      TuningPoint other = point;
      other[a] = std::clamp(other[a] + direction * std::max(step, least), 0.0, 1.0);
      if (other[a] != point[a]) points.push_back(std::move(other));
    }
  }
  return points;
}

}  // namespace pssp
