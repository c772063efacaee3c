#pragma once

// OpenSM's log. All lines of the plugin pass write_log().

#include <opensm/osm_config.h>
// osm_config.h comes first: it decides the layout of the structures in the other one.
#include <opensm/osm_log.h>

#include <string>
#include <string_view>

namespace pssp {

/// OpenSM formats a line into 4096 bytes, by vsprintf: one that is longer ends opensm. So many are
/// left to us, "osmpssp: ", what OpenSM puts before it and the line end taken off with some to
/// spare.
inline constexpr std::size_t longest_message = 3800;

/// The message as one line of the log: without control characters, and cut to longest_message
/// bytes, the end then saying how much is missing.
std::string fit_for_log(std::string_view message);

/// A line in OpenSM's log, if the level is on: "osmpssp: " and the message, fit for it. Never
/// throws.
void write_log(osm_log_t& log, osm_log_level_t level, std::string_view message) noexcept;

}  // namespace pssp
