#include "base/utc_time.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

/// A number of exactly this many digits, and the character after it.
std::optional<unsigned> take_digits(std::string_view& text, std::size_t digits,
                                    std::string_view behind) {
  if (text.size() < digits) return std::nullopt;
  std::string_view head = text.substr(0, digits);
  const std::optional<std::uint64_t> number = take_number(head);
  if (!number || !head.empty()) return std::nullopt;
  text.remove_prefix(digits);
  if (!take(text, behind)) return std::nullopt;
  return static_cast<unsigned>(*number);
}

[[noreturn]] void refuse_time(std::string_view text) {
  throw Error(ErrorKind::usage, fmt::format("'{}' is not a time; expected 2026-01-31T12:00:00Z, "
                                            "now, -90s, -5m, -6h, -3d, or milliseconds since 1970",
                                            excerpt(text)));
}

constexpr std::int64_t ms_a_second = 1'000, ms_a_minute = 60 * ms_a_second,
                       ms_an_hour = 60 * ms_a_minute;

std::optional<std::int64_t> unit_ms(std::string_view unit) {
  if (unit == "s") return ms_a_second;
  if (unit == "m") return ms_a_minute;
  if (unit == "h") return ms_an_hour;
  if (unit == "d") return 24 * ms_an_hour;
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parse_utc_date(std::string_view text) {
  using namespace std::chrono;
  const auto y = take_digits(text, 4, "-"), m = take_digits(text, 2, "-");
  const auto d = take_digits(text, 2, "");
  if (!y || !m || !d) return std::nullopt;
  const year_month_day date{year(static_cast<int>(*y)), month(*m), day(*d)};
  if (!date.ok()) return std::nullopt;
  unsigned hour_of_day = 0, minute = 0, second = 0;
  if (take(text, "T") || take(text, " ")) {
    const auto h = take_digits(text, 2, ":"), min = take_digits(text, 2, "");
    if (!h || !min || *h > 23 || *min > 59) return std::nullopt;
    hour_of_day = *h;
    minute = *min;
    if (take(text, ":")) {
      const auto s = take_digits(text, 2, "");
      if (!s || *s > 59) return std::nullopt;
      second = *s;
    }
  }
  take(text, "Z");
  if (!text.empty()) return std::nullopt;
  const sys_days days{date};
  return duration_cast<milliseconds>(days.time_since_epoch()).count() + hour_of_day * ms_an_hour +
         minute * ms_a_minute + second * ms_a_second;
}

std::int64_t parse_time(std::string_view text, std::int64_t now_ms) {
  const std::string_view all = text;
  if (text == "now") return now_ms;
  if (take(text, "-")) {
    const std::optional<std::uint64_t> number = take_number(text);
    const std::optional<std::int64_t> unit = unit_ms(text);
    if (!number || !unit || *number > 100'000'000) refuse_time(all);
    return now_ms - static_cast<std::int64_t>(*number) * *unit;
  }
  if (const auto date = parse_utc_date(text)) return *date;
  const std::optional<std::uint64_t> ms = take_number(text);
  if (!ms || !text.empty() || *ms > std::uint64_t{1} << 53) refuse_time(all);
  return static_cast<std::int64_t>(*ms);
}

std::string utc_text(std::int64_t time_ms) {
  using namespace std::chrono;
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     floor<seconds>(sys_time<milliseconds>(milliseconds(time_ms))));
}

std::string time_text(std::int64_t time_ms) {
  using namespace std::chrono;
  const sys_time<milliseconds> time{milliseconds(time_ms)};
  return fmt::format("{:%Y-%m-%d %H:%M:}{:02}.{:03}", floor<seconds>(time),
                     (time_ms / 1000 % 60 + 60) % 60, (time_ms % 1000 + 1000) % 1000);
}

}  // namespace pssp
