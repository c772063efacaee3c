#pragma once

// Routing engines on the command line of the harness, and the settings of opensm for each engine.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ibsim_harness/process.h"
#include "ibsim_harness/surroundings.h"

namespace pssp {

/// NAME or NAME:OPTION=VALUE:...
struct EngineSpec {
  std::string text;  ///< as on the command line
  std::string name;
  std::vector<std::string> options;
  bool is_opensms = false;  ///< an engine of opensm; other engines come from the plugin
};

/// Throws Error(usage) for an unknown engine. Rejects blanks and control characters in values,
/// because they would set other options of opensm.
EngineSpec parse_engine(std::string_view text);
/// Separated by commas; each engine once. Throws Error(usage).
std::vector<EngineSpec> parse_engines(std::string_view list);
/// All engines of opensm (except `file`, which only loads tables) and of the plugin.
std::vector<EngineSpec> all_engines();

/// NAME=VALUE without blanks and control characters, which could be another setting of opensm.
bool is_setting(std::string_view text);
/// Throws Error(usage) unless the plugin and the engines accept all settings: a running opensm
/// would ignore a wrong setting and compute other routes. `engines`: as for -R.
void require_valid_settings(std::span<const std::string> settings, std::string_view engines);
/// One name, or several names with commas, as for opensm -R.
bool is_engine_list(std::string_view text);
/// Whether an engine of the list, as for opensm -R, comes from the plugin.
bool needs_plugin(std::string_view engines);
/// Engines of opensm that assign routes to virtual lanes so that no lane has a credit loop.
bool assigns_lanes(std::string_view engine);
/// Options of opensm that the engines require.
std::vector<std::string> opensm_needs(std::string_view engines);

/// The results of opensm_hints for a topology; a missing file means that there is no result.
struct EngineHints {
  std::filesystem::path roots, torus;
  std::string torus_reason;  ///< why there is no torus configuration
};
EngineHints find_hints(const Surroundings& surroundings, const SignalQueue& signals,
                       const std::filesystem::path& topology,
                       const std::filesystem::path& directory);

struct TrialOptions {
  std::vector<std::string> plugin_settings;  ///< NAME=VALUE, for event_plugin_options
  std::vector<std::string> opensm_options;   ///< of opensm's command line
  std::string refusal;  ///< if not empty, opensm cannot get a setting that it requires
};
TrialOptions options_for_trial(const EngineSpec& engine, const EngineHints& hints, unsigned lanes);

/// The folder of an engine within `parent`.
std::filesystem::path engine_directory(const std::filesystem::path& parent,
                                       const EngineSpec& engine);

}  // namespace pssp
