#include "osm_plugin/plugin_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

#include "base/error.h"
#include "fabric/tables/service_levels.h"
#include "routing/engines/options_file.h"

namespace pssp {
namespace {

constexpr std::string_view options_file_option = "options_file";
constexpr std::string_view credit_loop_option = "credit_loop_check";
constexpr std::string_view congestion_option = "congestion_control";
constexpr std::string_view deadlock_option = "deadlock";
constexpr std::string_view reversible_option = "reversible";
constexpr std::string_view spread_option = "spread_lanes";
constexpr std::string_view first_lane_option = "first_lane";
constexpr std::string_view level_dump_option = "service_level_dump";
constexpr std::string_view stable_option = "stable";
constexpr std::array own_options = {deadlock_option,    reversible_option, spread_option,
                                    first_lane_option,  level_dump_option, stable_option,
                                    credit_loop_option, congestion_option, options_file_option};

bool is_own(std::string_view name) { return std::ranges::count(own_options, name) != 0; }

/// Position of the option's value among `choices`.
std::size_t choice(const EngineOptions& all, std::string_view name, std::string_view fallback,
                   std::initializer_list<std::string_view> choices) {
  const std::string value = all.text("", name, fallback);
  const auto found = std::find(choices.begin(), choices.end(), value);
  if (found == choices.end()) {
    throw Error(ErrorKind::usage, fmt::format("option '{}={}': expected {}", name, value,
                                              fmt::join(choices, " or ")));
  }
  return static_cast<std::size_t>(found - choices.begin());
}

bool is_on(const EngineOptions& all, std::string_view name, std::string_view fallback) {
  return choice(all, name, fallback, {"on", "off"}) == 0;
}

unsigned lane_number(const EngineOptions& all, std::string_view name) {
  const std::string value = all.text("", name, "0");
  unsigned lane = 0;
  const char* const end = value.data() + value.size();
  const auto [rest, status] = std::from_chars(value.data(), end, lane);
  if (status != std::errc{} || rest != end || lane >= max_data_lanes) {
    throw Error(ErrorKind::usage, fmt::format("option '{}={}': expected a virtual lane, 0 .. {}",
                                              name, value, max_data_lanes - 1));
  }
  return lane;
}

/// opensm as a daemon has another working directory than the shell that it was tried in.
std::filesystem::path absolute_path(const EngineOptions& all, std::string_view name) {
  std::filesystem::path path = all.text("", name, "");
  if (!path.empty() && !path.is_absolute()) {
    throw Error(ErrorKind::usage,
                fmt::format("option '{}={}': expected an absolute path", name, path.string()));
  }
  return path;
}

DeadlockOptions deadlock_part(const EngineOptions& all) {
  constexpr std::array policies = {DeadlockPolicy::require, DeadlockPolicy::prefer,
                                   DeadlockPolicy::ignore};
  DeadlockOptions options;
  options.policy =
      policies[choice(all, deadlock_option, "prefer", {"require", "prefer", "ignore"})];
  options.reversible = is_on(all, reversible_option, "off");
  options.spread_lanes = is_on(all, spread_option, "off");
  options.first_lane = lane_number(all, first_lane_option);
  return options;
}

/// The options that are not the plugin's own.
EngineOptions engine_part(const EngineOptions& all) {
  EngineOptions engines;
  for (const auto& [name, value] : all.entries()) {
    if (!is_own(name)) engines.set(name, value);
  }
  return engines;
}

void require_known(const EngineOptions& options) {
  try {
    engine_part(options).require_known();
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}; options of the plugin are {}", error.what(),
                                          fmt::join(own_options, ", ")));
  }
}

}  // namespace

PluginOptions parse_plugin_options(std::string_view text) {
  EngineOptions all = EngineOptions::parse(text);
  require_known(all);
  const std::filesystem::path file = absolute_path(all, options_file_option);
  if (!file.empty()) read_options_file(file, require_known, all);
  PluginOptions options;
  options.deadlock = deadlock_part(all);
  options.service_level_dump = absolute_path(all, level_dump_option);
  options.stable = is_on(all, stable_option, "off");
  options.credit_loop_check = is_on(all, credit_loop_option, "on");
  options.congestion_control = all.text("", congestion_option, "");
  options.engines = engine_part(all);
  return options;
}

}  // namespace pssp
