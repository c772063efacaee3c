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
  ask,        ///< what a new baseline would give and cost is said
  automatic,  ///< it is taken where it gives enough
};

struct PluginOptions {
  /// Keep entries of the last tables where they are still valid and good.
  bool stable = true;
  /// With `stable`: keep tables and service levels in a file, for the next start of opensm.
  bool stable_state = true;
  /// With `stable`: a baseline that has been outgrown.
  Rebaseline rebaseline = Rebaseline::ask;
  /// Under Rebaseline::automatic, per cent that tables must be worth more.
  std::uint32_t rebaseline_gain = 5;
  /// Under DeadlockPolicy::ignore: look for credit loops after routing and log what is found.
  bool credit_loop_check = true;
  /// Where to write the service levels after each routing (absolute); empty: nowhere.
  std::string service_level_dump;
  /// A file of links that have less capacity (absolute); empty: none. Read at each routing; what is
  /// wrong with it never stops one.
  std::string capacity_file;
  /// Hours after which it no longer counts.
  std::uint32_t capacity_max_age = 24;
  /// A file that says of which kind hosts are (absolute); empty: none. As the one before.
  std::string node_types_file;
  /// A file with more options (absolute); empty: none.
  std::string options_file;
  /// Profile or parameter file of congestion control, as it was given; empty: none. Not looked at
  /// here: what is wrong with it must not stop the engines.
  std::string congestion_control;

  DeadlockOptions deadlock;
  BudgetOptions budget;
  EngineOptions engines;
  EngineOptions all;  ///< everything as it was given, in the text or in the file

  /// Whether the option of that full name was given, by whichever of its names.
  bool is_given(std::string_view full_name) const;

  /// Stable rerouting of an engine's tables: what stable.* says; else max_extra_hops of the engine,
  /// since that is what its tables were made with. Throws Error(usage).
  StableOptions stable_options(std::string_view engine) const;

  /// Options that were given and have no effect as the others are, a sentence each.
  std::vector<std::string> without_effect() const;
};

/// Reads `text` and the file that its option options_file names. Throws Error(usage) or
/// Error(unreadable_input), with file:line where a file is at fault, on an option that neither the
/// plugin nor any engine has.
PluginOptions parse_plugin_options(std::string_view text);
/// The same of pairs that have been read already.
PluginOptions plugin_options(EngineOptions given);
/// Of known options, without those that options_file has. Throws Error(usage) on a wrong value.
PluginOptions interpret_options(EngineOptions all);

/// Whether it is an option of no engine, under whichever of its names.
bool is_plugin_option(std::string_view name);
/// Throws Error(usage), with the name that may be meant, unless the plugin or an engine has it.
void require_known_option(const GivenOption& option);

/// An option's name of earlier releases as the name that it has now; others as they are.
std::string_view full_option_name(std::string_view name);

/// All options but the engines', under their full names, with the values that they have in
/// `options`: for lists and documents.
std::vector<OptionDescription> plugin_option_list(const PluginOptions& options = {});

/// "name=value" of every option that counts, the engines' too.
std::vector<std::string> options_in_force(const PluginOptions& options);

}  // namespace pssp
