#pragma once

// OpenSM's log. All lines of the plugin pass write_log(): errors and reports of
// routing/options/log_codes.h, which OpenSM logs by default, and details.

#include <opensm/osm_config.h>
// osm_config.h comes first: it decides the layout of the structures in the other one.
#include <opensm/osm_log.h>

#include <string>
#include <string_view>

#include "osm_plugin/log_message.h"

namespace pssp {

/// OpenSM formats a line into 4096 bytes, by vsprintf: one that is longer ends opensm. So many are
/// left to us, "osmpssp: ", what OpenSM puts before it and the line end taken off with some to
/// spare.
inline constexpr std::size_t longest_message = 3800;

/// The message as one line of the log: without control characters, and cut to longest_message
/// bytes, the end then saying how much is missing.
std::string fit_for_log(std::string_view message);

/// A line in OpenSM's log, if its level is on: "osmpssp: ERR 7A20: TEXT", "osmpssp: routing: TEXT"
/// or "osmpssp: TEXT". Never throws.
void write_log(osm_log_t& log, const LogMessage& message) noexcept;

/// An error whose text is made without memory.
void write_log(osm_log_t& log, LogCode code, const char* text) noexcept;

}  // namespace pssp
