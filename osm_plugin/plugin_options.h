#pragma once

// event_plugin_options of opensm.conf: options of the engines, and those of the plugin itself.

#include <filesystem>
#include <string>
#include <string_view>

#include "osm_plugin/lane_plan.h"
#include "routing/engines/options.h"

namespace pssp {

struct PluginOptions {
  EngineOptions engines;
  DeadlockOptions deadlock;
  /// Under DeadlockPolicy::ignore: look for credit loops after routing and log what is found.
  bool credit_loop_check = true;
  /// Keep entries of the last tables where they are still valid and good.
  bool stable = false;
  /// Where to write the service levels after each routing (absolute); empty: nowhere.
  std::filesystem::path service_level_dump;
  /// Profile or parameter file of congestion control, as it was given; empty: none. Not looked at
  /// here: what is wrong with it must not stop the engines.
  std::string congestion_control;
};

/// Reads `text` and the file that its option options_file names. Throws Error(usage) or
/// Error(unreadable_input), with file:line where a file is at fault, on an option that neither the
/// plugin nor any engine has.
PluginOptions parse_plugin_options(std::string_view text);

}  // namespace pssp
