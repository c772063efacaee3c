#pragma once

// Options as opensm reads them: a wrong one must not cost a fabric its routing, so it is ignored,
// and the log says so. Programs, whose user is there to correct it, refuse it (plugin_options.h).

#include <string>
#include <string_view>
#include <vector>

#include "routing/options/log_codes.h"
#include "routing/options/plugin_options.h"

namespace pssp {

/// One wrong option, and what is done instead: a line of the log.
struct OptionFault {
  LogCode code;
  std::string text;
};

struct TolerantOptions {
  PluginOptions options;  ///< every engine accepts those that it has in here, each by itself
  std::vector<OptionFault> faults;
};

/// Reads `event_plugin_options` and the file that options_file names. An option that is unknown,
/// contradicts itself or has a value that it does not take counts as not given, but `deadlock` then
/// counts as `require`. An engine's option without the engine's name goes to those engines that
/// take its value. Does not throw Error.
TolerantOptions read_tolerantly(std::string_view event_plugin_options);

/// Names in `routing_engine` of opensm.conf that OpenSM will not find although an engine of ours is
/// meant: misspelt ones, and those with options behind them as in "best:slack=10".
std::vector<OptionFault> engine_name_faults(std::string_view routing_engine);

}  // namespace pssp
