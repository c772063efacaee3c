#pragma once

// From the text of event_plugin_options to engines that are ready to route: what the plugin does
// when opensm starts, and what `route_lft --check-options` does to foretell it.

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
  std::vector<EngineSetup> engines;  ///< all of the registry, in its order
  std::vector<OptionFault> faults;   ///< what was wrong with the options
};

/// Reads the options and makes the engines, with the defaults of what is wrong. Files that options
/// name are read if they are regular ones. Does not throw Error.
PluginSetup set_up_plugin(std::string_view event_plugin_options);

/// What opensm's log has of the faults; of more than a screen the first ones and how many are left.
std::vector<OptionFault> faults_to_log(const std::vector<OptionFault>& faults);
/// The same as lines, each with its code.
std::vector<std::string> fault_lines(const std::vector<OptionFault>& faults);

}  // namespace pssp
