#pragma once

// Predicts opensm's messages about event_plugin_options, without opensm.

#include <string>

namespace pssp {

/// Prints the options in effect, and to standard error the log lines about wrong options. Returns
/// the exit code: 0, or that of wrong options.
int check_options(const std::string& event_plugin_options);

/// All engines and all options, from their tables.
std::string list_of_options();

}  // namespace pssp
