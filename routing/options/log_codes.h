#pragma once

// The lines that the plugin writes to opensm's log at OpenSM's default level: errors with a
// searchable code, such as "ERR 7A12: ...", and reports with a topic. These two tables are the only
// source; a test compares the tables in docs/reference/log-messages.md with them. All other
// messages use OpenSM's VERBOSE level.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pssp {

/// Codes 7Axx, which no file of OpenSM uses. A code never changes its meaning. 7A1x: options, at
/// the start of opensm; 7A2x: later.
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
  not_routed = 0x7A20,
  failed_check = 0x7A21,
  deadlock_possible = 0x7A22,
  unreachable_hosts = 0x7A23,
  unusable_node = 0x7A24,
  input_file = 0x7A25,
  output_file = 0x7A26,
  tables_in_switches = 0x7A27,
  not_started = 0x7A28,
  background = 0x7A29,
};

struct LogCodeDescription {
  LogCode code;
  std::string_view meaning;  ///< what happened
  std::string_view effect;   ///< effect on traffic
  std::string_view action;   ///< what the administrator should do
};

/// All codes, ascending.
std::span<const LogCodeDescription> log_code_table();

/// "ERR 7A12: TEXT".
std::string with_code(LogCode code, std::string_view text);

/// Reports that are not errors.
enum class LogTopic : std::uint8_t {
  routing,
  option_without_effect,
  congestion_control,
  fabric_growth,
  state_file,
};

struct LogTopicDescription {
  LogTopic topic;
  std::string_view begin;  ///< first word of each line
  std::string_view meaning, effect, action;
};

std::span<const LogTopicDescription> log_topic_table();

/// "state file: TEXT".
std::string with_topic(LogTopic topic, std::string_view text);

}  // namespace pssp
