#pragma once

// Options as opensm reads them: an invalid option must not prevent routing, so it is ignored and
// logged. Programs reject it (plugin_options.h), because their user can correct it.

#include <string>
#include <string_view>
#include <vector>

#include "routing/options/log_codes.h"
#include "routing/options/plugin_options.h"

namespace pssp {

/// An invalid option and what is done instead: a line of the log.
struct OptionFault {
  LogCode code;
  std::string text;
};

struct TolerantOptions {
  PluginOptions options;  ///< each valid for its engines
  std::vector<OptionFault> faults;
};

/// Reads `event_plugin_options` and the file in options_file. An option that is unknown,
/// contradictory or has an invalid value counts as not given, except that `deadlock` then counts as
/// `require`. An engine option without an engine name applies to the engines that accept its value.
/// Does not throw Error.
TolerantOptions read_tolerantly(std::string_view event_plugin_options);

/// Names in `routing_engine` of opensm.conf that OpenSM will not find although they resemble an
/// engine of the plugin: misspelled names, and names with options such as "best:slack=10".
std::vector<OptionFault> engine_name_faults(std::string_view routing_engine);

}  // namespace pssp
