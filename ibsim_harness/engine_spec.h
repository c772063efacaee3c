#pragma once

// Routing engines as the command line of the harness names them, and what opensm must be told for
// each.

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
  std::string text;  ///< as it was named
  std::string name;
  std::vector<std::string> options;
  bool is_opensms = false;  ///< opensm's own; others come from the plugin
};

/// Throws Error(usage) for what is no engine. Blanks and control characters in values are refused:
/// they would set other options of opensm.
EngineSpec parse_engine(std::string_view text);
/// With commas between; each once. Throws Error(usage).
std::vector<EngineSpec> parse_engines(std::string_view list);
/// All of opensm's (but `file`, which only loads tables) and all of ours.
std::vector<EngineSpec> all_engines();

/// NAME=VALUE without blanks and control characters, which would be another setting of opensm's.
bool is_setting(std::string_view text);
/// Throws Error(usage) unless plugin and engines take all settings as they are: a running opensm
/// would ignore a wrong one and route otherwise than was asked for. `engines`: as for -R.
void require_valid_settings(std::span<const std::string> settings, std::string_view engines);
/// A name, or several with commas between, as opensm's -R takes them.
bool is_engine_list(std::string_view text);
/// Some engine of the list, as opensm's -R takes it, must come from the plugin.
bool needs_plugin(std::string_view engines);
/// Engines of opensm that give each route a virtual lane such that no lane has a credit loop.
bool assigns_lanes(std::string_view engine);
/// What the engines cannot do without on opensm's command line.
std::vector<std::string> opensm_needs(std::string_view engines);

/// What opensm_hints finds in a topology; a file that is not there was not found.
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
  std::string refusal;                       ///< not empty: opensm cannot be told what it must know
};
TrialOptions options_for_trial(const EngineSpec& engine, const EngineHints& hints, unsigned lanes);

/// The folder of an engine within another.
std::filesystem::path engine_directory(const std::filesystem::path& parent,
                                       const EngineSpec& engine);

}  // namespace pssp
