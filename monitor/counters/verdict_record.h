#pragma once

// A verdict with its time, by names that last: as the history keeps it.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "monitor/counters/port_key.h"

namespace pssp {

/// From good to worst.
enum class Level : std::uint8_t { good, unknown, watch, bad };
constexpr std::string_view name_of(Level level) {
  constexpr std::array<std::string_view, 4> names{"good", "unknown", "watch", "bad"};
  return names[static_cast<std::size_t>(level)];
}

/// VerdictRecord::what of a port that should be up and is not.
inline constexpr std::string_view link_state = "state";
/// Of a port that is not cabled as planned.
inline constexpr std::string_view link_cabling = "cabling";

/// In which order verdicts are read, the largest first: damage, what cannot be judged, and last
/// congestion, which is no damage and of which there may be a lot.
constexpr unsigned urgency(Level level, std::string_view what) {
  if (level == Level::good) return 0;
  if (level == Level::watch && what == "transmit_wait") return 1;
  return level == Level::unknown ? 2 : level == Level::watch ? 3 : 4;
}

struct VerdictRecord {
  PortKey port;
  std::string
      what;  ///< name of the counter, "width", "speed", "readings", link_state or link_cabling
  Level level = Level::good;
  std::int64_t since_ms = 0;
  std::optional<std::int64_t> until_ms;  ///< nothing: it stands
  double value = 0, limit = 0;           ///< 0 where there is no number
  std::string reason;                    ///< a sentence
};

}  // namespace pssp
