#pragma once

// Dates as people write them in files and on command lines, in UTC.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pssp {

/// Milliseconds since 1970 of "2026-01-31", "2026-01-31T12:00", "2026-01-31 12:00:30Z"; nothing
/// where it is none of these, or there is no such day.
std::optional<std::int64_t> parse_utc_date(std::string_view text);

/// "2026-01-31T12:00:00Z".
std::string utc_text(std::int64_t time_ms);

}  // namespace pssp
