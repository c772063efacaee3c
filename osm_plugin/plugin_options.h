#pragma once

// event_plugin_options of opensm.conf: options of the engines, and a few of the plugin itself.

#include <string>
#include <string_view>

#include "routing/engines/options.h"

namespace pssp {

struct PluginOptions {
  EngineOptions engines;
  bool credit_loop_check = true;  ///< look for credit loops after routing and log what is found
  /// Profile or parameter file of congestion control, as it was given; empty: none. Not looked at
  /// here: what is wrong with it must not stop the engines.
  std::string congestion_control;
};

/// Reads `text` and the file that its option options_file names. Throws Error(usage) or
/// Error(unreadable_input), with file:line where a file is at fault, on an option that neither the
/// plugin nor any engine has.
PluginOptions parse_plugin_options(std::string_view text);

}  // namespace pssp
