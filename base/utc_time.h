#pragma once

// Times in files and on command lines, in UTC.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pssp {

/// Milliseconds since 1970 of "2026-01-31", "2026-01-31T12:00", "2026-01-31 12:00:30Z"; none for
/// other texts or dates that do not exist.
std::optional<std::int64_t> parse_utc_date(std::string_view text);

/// As parse_utc_date(), and "now", "-90s", "-5m", "-6h", "-3d" (before `now_ms`), or milliseconds
/// since 1970. Throws Error(usage).
std::int64_t parse_time(std::string_view text, std::int64_t now_ms);

/// "2026-01-31T12:00:00Z".
std::string utc_text(std::int64_t time_ms);
/// "2026-01-31 12:00:00.000", UTC.
std::string time_text(std::int64_t time_ms);

}  // namespace pssp
