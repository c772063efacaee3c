// Numbers are parsed without the locale, and units by table; other notations (exponent, "inf",
// sign) are rejected.

#include "simulator/values.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

struct UnitName {
  std::string_view name;
  double factor;
};
constexpr std::array time_names{UnitName{"ps", 1}, UnitName{"ns", 1e3}, UnitName{"us", 1e6},
                                UnitName{"ms", 1e9}, UnitName{"s", 1e12}};
constexpr std::array size_names{UnitName{"KiB", 0x1p10}, UnitName{"MiB", 0x1p20},
                                UnitName{"GiB", 0x1p30}, UnitName{"TiB", 0x1p40},
                                UnitName{"kB", 1e3},     UnitName{"MB", 1e6},
                                UnitName{"GB", 1e9},     UnitName{"B", 1}};
constexpr std::array rate_names{
    UnitName{"Gbit/s", 1e9 / 8}, UnitName{"Mbit/s", 1e6 / 8}, UnitName{"GByte/s", 1e9},
    UnitName{"MByte/s", 1e6},    UnitName{"kByte/s", 1e3},    UnitName{"GB/s", 1e9},
    UnitName{"MB/s", 1e6},       UnitName{"kB/s", 1e3},       UnitName{"B/s", 1}};

[[noreturn]] void refuse_value(std::string_view text, std::string_view expected) {
  throw Error(ErrorKind::usage,
              fmt::format("'{}' is not allowed here; expected {}", excerpt(text), expected));
}

std::optional<double> with_unit(std::string_view text, std::span<const UnitName> units) {
  for (const UnitName& unit : units) {
    if (!text.ends_with(unit.name)) continue;
    if (const auto value =
            decimal_fraction(trimmed(text.substr(0, text.size() - unit.name.size())))) {
      return *value * unit.factor;
    }
  }
  return std::nullopt;
}

}  // namespace

SimulatedTime read_time(std::string_view text) {
  constexpr std::string_view expected =
      "a time from 0 to 1000s with its unit (ps, ns, us, ms, s), as in 250us or 0.7s";
  auto picoseconds = with_unit(text, time_names);
  if (!picoseconds && decimal_fraction(trimmed(text)) == 0.0) picoseconds = 0;
  if (!picoseconds || *picoseconds > static_cast<double>(longest_time)) {
    refuse_value(text, expected);
  }
  return std::llround(*picoseconds);
}

std::string time_text(SimulatedTime time, int digits) {
  std::size_t unit = 0;
  while (unit + 1 < time_names.size() && static_cast<double>(time) >= time_names[unit + 1].factor) {
    ++unit;
  }
  if (time == 0) return "0s";
  return fmt::format("{:.{}g}{}", static_cast<double>(time) / time_names[unit].factor, digits,
                     time_names[unit].name);
}

std::uint64_t read_size(std::string_view text) {
  auto bytes = with_unit(text, size_names);
  if (!bytes) bytes = decimal_fraction(trimmed(text));
  if (!bytes || *bytes < 1 || *bytes > static_cast<double>(largest_size)) {
    refuse_value(text, "a size from 1B to 256GiB, as in 2176B, 64KiB, 1MiB or 1.5GB");
  }
  return static_cast<std::uint64_t>(std::llround(*bytes));
}

double read_rate(std::string_view text) {
  const auto rate = with_unit(text, rate_names);
  if (!rate || *rate <= 0) {
    refuse_value(text, "a rate above 0 with its unit, as in 19.8GB/s, 500MByte/s or 8Gbit/s");
  }
  return *rate;
}

std::string rate_text(double bytes_per_second) {
  constexpr double giga = 1e9;
  constexpr double mega = 1e6;
  return bytes_per_second >= giga ? fmt::format("{:.3f} GByte/s", bytes_per_second / giga)
                                  : fmt::format("{:.1f} MByte/s", bytes_per_second / mega);
}

double read_share(std::string_view text) {
  constexpr std::array percent{UnitName{"%", 0.01}};
  auto share = with_unit(text, percent);
  if (!share) share = decimal_fraction(trimmed(text));
  if (!share || *share > 1) refuse_value(text, "a share from 0 to 1, or from 0% to 100%");
  return *share;
}

std::uint64_t read_count(std::string_view text, std::string_view what, std::uint64_t least,
                         std::uint64_t most) {
  std::string_view rest = text;
  const auto number = take_number(rest);
  if (!number || !rest.empty() || *number < least || *number > most) {
    refuse_value(text, fmt::format("{}, {} .. {}", what, least, most));
  }
  return *number;
}

}  // namespace pssp
