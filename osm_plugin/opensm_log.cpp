#include "osm_plugin/opensm_log.h"

#include <fmt/format.h>

#include <exception>

#include "base/printable.h"

namespace pssp {

static_assert(longest_message + 200 < LOG_ENTRY_SIZE_MAX);

std::string fit_for_log(std::string_view message) {
  if (message.size() <= longest_message) return printable(message);
  constexpr std::size_t room_for_end = 40;
  std::size_t kept = longest_message - room_for_end;
  // Not in the middle of a character.
  while (kept > 0 && (static_cast<unsigned char>(message[kept]) & 0xC0U) == 0x80U) --kept;
  return fmt::format("{}... ({} more bytes)", printable(message.substr(0, kept)),
                     message.size() - kept);
}

void write_log(osm_log_t& log, const LogMessage& message) noexcept {
  const osm_log_level_t level = message.is_error()    ? OSM_LOG_ERROR
                                : message.is_detail() ? OSM_LOG_VERBOSE
                                                      : OSM_LOG_INFO;
  if (osm_log_is_active(&log, level) == 0) return;
  try {
    osm_log(&log, level, "osmpssp: %s\n", fit_for_log(to_line(message)).c_str());
  } catch (const std::exception&) {
    write_log(log, LogCode::not_started, "out of memory; free memory on this machine");
  }
}

void write_log(osm_log_t& log, LogCode code, const char* text) noexcept {
  osm_log(&log, OSM_LOG_ERROR, "osmpssp: ERR %04X: %.*s\n", static_cast<unsigned>(code),
          static_cast<int>(longest_message), text);
}

}  // namespace pssp
