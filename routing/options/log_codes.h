#pragma once

// The codes of the plugin's errors in opensm's log, "ERR 7A12: ...": OpenSM gives each place in its
// code a number, so that administrators can search for it. One table, from which the list in
// docs/reference/log-messages.md is made.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pssp {

/// 7Axx; no file of OpenSM uses them. A code never gets another meaning.
enum class LogCode : std::uint16_t {
  malformed_option = 0x7A10,
  unknown_option = 0x7A11,
  wrong_value = 0x7A12,
  contradiction = 0x7A13,
  options_file = 0x7A14,
  file_of_option = 0x7A15,
  congestion_control = 0x7A16,
  engine_options = 0x7A17,
  engine_name = 0x7A18,
  more_faults = 0x7A19,
};

struct LogCodeDescription {
  LogCode code;
  std::string_view meaning;      ///< what has happened
  std::string_view consequence;  ///< what the plugin does about it
};

/// All codes, ascending.
std::span<const LogCodeDescription> log_code_table();

/// "ERR 7A12: TEXT".
std::string with_code(LogCode code, std::string_view text);

}  // namespace pssp
