#pragma once

// The answer of a program that Nagios or Icinga starts: one line and a status.

#include <cstdint>
#include <string>
#include <string_view>

#include "tools/kit/report.h"

namespace pssp {

/// The value of an enumerator is the status of the program.
enum class PluginStatus : std::uint8_t { ok, warning, critical, unknown };

/// "SUBJECT STATUS - TEXT" with its newline, whatever the text has.
std::string plugin_line(std::string_view subject, PluginStatus status, std::string text);

/// Writes a line to `file` ("-" is standard output) and returns what the program ends with: the
/// status of the line. Where the line cannot be written that is the one of UNKNOWN, for no one has
/// read anything, and `report` says why.
int answer_as_plugin(const Report& report, const std::string& file, PluginStatus status,
                     std::string_view line);

}  // namespace pssp
