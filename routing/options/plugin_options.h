#pragma once

// The one grammar of options, name=value: event_plugin_options of opensm.conf, the file that
// options_file names, and `route_lft --set`.
//
//   max_extra_hops=1            every engine that has such an option
//   pssp.max_extra_hops=1       that engine; it wins
//   deadlock.policy=require what is done against deadlocks
//   stable.max_extra_hops=1     stable rerouting
//   budget.seconds=10       what a routing inside opensm may cost
//   stable=on               the plugin's own
//
// The names of earlier releases stay, as other names of the same options: deadlock, reversible,
// spread_lanes, first_lane.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "routing/engines/options.h"
#include "routing/options/budget_options.h"
#include "routing/options/deadlock_options.h"
#include "routing/repair/stable_rerouting.h"

namespace pssp {

/// What happens when the fabric has outgrown its baseline
/// (docs/explanation/incremental-rerouting.md).
enum class Rebaseline : std::uint8_t {
  never,
  ask,        ///< logs the gain and the cost of a new baseline
  automatic,  ///< uses the new baseline if its gain is high enough
};

/// Whether engines that take long work in a thread of the plugin (osm_plugin/background_router.h).
enum class BackgroundMode : std::uint8_t {
  off,
  on,
  automatic,  ///< on large fabrics
};

struct PluginOptions {
  /// Keep entries of the last tables while they are valid and good.
  bool stable = true;
  /// With `stable`: store tables and service levels in a file for the next start of opensm.
  bool stable_state = true;
  /// With `stable`: how to handle an outgrown baseline.
  Rebaseline rebaseline = Rebaseline::ask;
  /// With Rebaseline::automatic: minimum gain in percent.
  std::uint32_t rebaseline_gain = 5;
  /// With `stable`: OpenSM does not wait for engines that take long.
  BackgroundMode background = BackgroundMode::automatic;
  /// Under DeadlockPolicy::ignore: look for credit loops after routing and log what is found.
  bool credit_loop_check = true;
  /// Absolute path of the file for the service levels of each routing; empty: none.
  std::string service_level_dump;
  /// Absolute path of a file of links with reduced capacity; empty: none. Read at each routing;
  /// errors in the file never stop a routing.
  std::string capacity_file;
  /// Age in hours at which the capacity file is ignored.
  std::uint32_t capacity_max_age = 24;
  /// Absolute path of a file with the node types of hosts; empty: none. Errors as for
  /// capacity_file.
  std::string node_types_file;
  /// Absolute path of a file with more options; empty: none.
  std::string options_file;
  /// Profile or parameter file of congestion control, as given; empty: none. Not checked here,
  /// because its errors must not stop the engines.
  std::string congestion_control;

  DeadlockOptions deadlock;
  BudgetOptions budget;
  EngineOptions engines;
  EngineOptions all;  ///< all options as given, in the text or in the file

  /// Whether the option with this full name was given, under any of its names.
  bool is_given(std::string_view full_name) const;

  /// Options of stable rerouting for an engine's tables: stable.* if given, else max_extra_hops of
  /// the engine, which its tables respect. Throws Error(usage).
  StableOptions stable_options(std::string_view engine) const;

  /// Given options without effect because of other options, one sentence each.
  std::vector<std::string> without_effect() const;
};

/// Reads `text` and the file in its option options_file. Throws Error(usage), or
/// Error(unreadable_input) with file:line for errors in a file, if neither the plugin nor an engine
/// has an option.
PluginOptions parse_plugin_options(std::string_view text);
/// The same for options that are already parsed.
PluginOptions plugin_options(EngineOptions given);
/// Interprets known options, without those of options_file. Throws Error(usage) for invalid values.
PluginOptions interpret_options(EngineOptions all);

/// Whether the plugin itself has the option, under any of its names.
bool is_plugin_option(std::string_view name);
/// Throws Error(usage), with a similar name, if neither the plugin nor an engine has the option.
void require_known_option(const GivenOption& option);

/// Replaces an option name of an earlier release by the current name; returns other names
/// unchanged.
std::string_view full_option_name(std::string_view name);

/// All options of the plugin itself with their full names and their values in `options`, for lists
/// and documents.
std::vector<OptionDescription> plugin_option_list(const PluginOptions& options = {});

/// "name=value" of every option in effect, including the engines' options.
std::vector<std::string> options_in_force(const PluginOptions& options);

}  // namespace pssp
