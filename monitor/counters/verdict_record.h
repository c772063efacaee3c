#pragma once

// A verdict on a port or node with its time, as the history keeps it. Ports are identified by node
// GUID and number.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "monitor/counters/port_key.h"

namespace pssp {

/// From the best to the worst; the worst of several verdicts is the largest.
enum class Level : std::uint8_t { good, unknown, watch, bad };
constexpr std::string_view name_of(Level level) {
  constexpr std::array<std::string_view, 4> names{"good", "unknown", "watch", "bad"};
  return names[static_cast<std::size_t>(level)];
}

/// VerdictRecord::what of a port that should be up and is down.
inline constexpr std::string_view link_state = "state";
/// VerdictRecord::what of a port whose cabling differs from the plan.
inline constexpr std::string_view link_cabling = "cabling";

/// The order in which operators should read verdicts, the largest first: damage, then ports that
/// cannot be judged, and last congestion, which is no damage and may be frequent.
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
  std::optional<std::int64_t> until_ms;  ///< nothing: still in force
  double value = 0, limit = 0;           ///< 0 if there is no number
  std::string reason;                    ///< a sentence
};

}  // namespace pssp
