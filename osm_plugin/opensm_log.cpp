#include "osm_plugin/opensm_log.h"

#include <fmt/format.h>

#include <exception>

#include "base/shown.h"

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

void write_log(osm_log_t& log, osm_log_level_t level, std::string_view message) noexcept {
  if (osm_log_is_active(&log, level) == 0) return;
  try {
    osm_log(&log, level, "osmpssp: %s\n", fit_for_log(message).c_str());
  } catch (const std::exception&) {
    osm_log(&log, level, "osmpssp: out of memory\n");
  }
}

}  // namespace pssp
