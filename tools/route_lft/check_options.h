#pragma once

// What a running opensm would say about event_plugin_options, without opensm.

#include <string>

namespace pssp {

/// Prints what will be in force, and to standard error the lines of opensm's log about wrong
/// options. The exit code: 0, or that of wrong options.
int check_options(const std::string& event_plugin_options);

/// All engines and all options, from their tables.
std::string list_of_options();

}  // namespace pssp
