// Two digits suffice for planning: few hours and days have one decimal, shorter durations are
// integers of their unit.

#include "base/duration_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace pssp {
namespace {

struct Unit {
  const char* name;
  double seconds;
  double below;  ///< in seconds: longer durations use the next unit
};

}  // namespace

std::string duration_text(double seconds) {
  constexpr double minute = 60, hour = 60 * minute, day = 24 * hour;
  constexpr std::array units{Unit{"second", 1, 2 * minute}, Unit{"minute", minute, 2 * hour},
                             Unit{"hour", hour, 2 * day}, Unit{"day", day, HUGE_VAL}};
  if (!(seconds >= 0.5)) return "less than a second";
  for (const Unit& unit : units) {
    const double whole = std::round(seconds / unit.seconds);
    // A value that rounds to the limit uses the next unit, too.
    if (whole * unit.seconds >= unit.below && seconds < HUGE_VAL) continue;
    if (unit.seconds == minute && seconds >= hour - minute / 2 && seconds < hour + minute / 2) {
      return "1 hour";
    }
    const double tenths = std::round(10 * seconds / unit.seconds) / 10;
    constexpr double few = 10;
    const double displayed = unit.seconds >= hour && tenths < few ? tenths : whole;
    return fmt::format("{:g} {}{}", displayed, unit.name, displayed == 1 ? "" : "s");
  }
  return "for ever";
}

}  // namespace pssp
