#pragma once

// Turns the text of event_plugin_options into engines, for the plugin at the start of opensm, and
// for `route_lft --check-options`, which predicts the result.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "routing/engines/engine.h"
#include "routing/options/plugin_options.h"
#include "routing/options/tolerant_options.h"

namespace pssp {

struct EngineSetup {
  std::string_view name;
  std::unique_ptr<RoutingEngine> engine;
  StableOptions stable;
};

struct PluginSetup {
  PluginOptions options;
  std::vector<EngineSetup> engines;  ///< all engines, in the order of the registry
  std::vector<OptionFault> faults;   ///< errors in the options
};

/// Reads the options and creates the engines; invalid options get their defaults. Reads the files
/// that options name, if they are regular files. Does not throw Error.
PluginSetup set_up_plugin(std::string_view event_plugin_options);

/// The faults that the log reports: the first ones, and the number of the others if there are many.
std::vector<OptionFault> faults_to_log(const std::vector<OptionFault>& faults);
/// The same as lines with codes.
std::vector<std::string> fault_lines(const std::vector<OptionFault>& faults);

}  // namespace pssp
