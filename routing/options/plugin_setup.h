#pragma once

// From the text of event_plugin_options to engines that are ready to route, or to the reasons why
// they are not: what the plugin does when opensm starts, and what `route_lft --check-options` does
// to foretell it.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "routing/engines/engine.h"
#include "routing/options/plugin_options.h"

namespace pssp {

struct EngineSetup {
  std::string_view name;
  std::unique_ptr<RoutingEngine> engine;  ///< null: its options are wrong
  StableOptions stable;
  std::string refusal;  ///< the reason; empty where there is an engine
};

struct PluginSetup {
  PluginOptions options;
  std::vector<EngineSetup> engines;  ///< all of the registry, in its order
  /// Why none of the options count; empty when they do.
  std::string refusal;
};

/// Reads the options and makes the engines. Files that options name are read if they are regular
/// ones and refused otherwise. Does not throw Error.
PluginSetup set_up_plugin(std::string_view event_plugin_options);

/// What the log says of an engine with wrong options.
std::string wrong_options(std::string_view reason);

}  // namespace pssp
