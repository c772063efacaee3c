#include "base/utc_time.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

#include "base/text_lines.h"

namespace pssp {
namespace {

/// A number of so many digits, and what stands behind it.
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
  return duration_cast<milliseconds>(days.time_since_epoch()).count() +
         hour_of_day * std::int64_t{3'600'000} + minute * std::int64_t{60'000} +
         second * std::int64_t{1'000};
}

std::string utc_text(std::int64_t time_ms) {
  using namespace std::chrono;
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     floor<seconds>(sys_time<milliseconds>(milliseconds(time_ms))));
}

}  // namespace pssp
