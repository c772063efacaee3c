// Each option belongs to an engine's table, or to one of four tables here. The names of three of
// these begin with `deadlock.`, `stable.` and `budget.`; those of the fourth have no prefix. All
// other options belong to engines, which check them.

#include "routing/options/plugin_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "routing/engines/engine.h"
#include "routing/engines/options_file.h"
#include "routing/repair/stable_options.h"

namespace pssp {
namespace {

constexpr std::array<std::string_view, 3> rebaseline_text{"never", "ask", "auto"};
constexpr std::array<std::string_view, 3> background_text{"off", "on", "auto"};
constexpr std::array own_lines{
    switch_option<&PluginOptions::stable>(
        "stable", "after a change of the fabric, keep the entries that are still valid and good"),
    switch_option<&PluginOptions::stable_state>(
        "stable_state",
        "with stable=on: keep tables and service levels in OpenSM's cache folder over a restart"),
    choice_option<&PluginOptions::rebaseline>(
        "stable.rebaseline", rebaseline_text,
        "with stable=on, when the fabric has grown: report the "
        "gain of a new baseline, or use it if "
        "the gain suffices"),
    number_option<&PluginOptions::rebaseline_gain>(
        "stable.rebaseline_gain", 0, 1000,
        "with stable.rebaseline=auto: percentage by which a new baseline must score more"),
    choice_option<&PluginOptions::background>(
        "background", background_text,
        "with stable=on: best, cassp and p2ssp work in the background, and OpenSM gets fast tables "
        "first; auto: on fabrics of more than 2000 hosts"),
    switch_option<&PluginOptions::credit_loop_check>(
        "credit_loop_check",
        "with deadlock.policy=ignore: search for credit loops after each routing"),
    absolute_path_option<&PluginOptions::service_level_dump>(
        "service_level_dump", "file to which the service levels are written after each routing"),
    absolute_path_option<&PluginOptions::capacity_file>(
        "capacity_file", "file of links with less capacity or to be avoided; read at each routing"),
    number_option<&PluginOptions::capacity_max_age>("capacity_max_age", 1, 8760,
                                                    "hours after which capacity_file is ignored"),
    absolute_path_option<&PluginOptions::node_types_file>(
        "node_types_file",
        "file of node types of hosts whose names do not show the type; read at each routing"),
    absolute_path_option<&PluginOptions::options_file>("options_file", "a file with more options"),
    text_option<&PluginOptions::congestion_control>(
        "congestion_control", "profile, or absolute path of a parameter file",
        "parameter set that OpenSM's congestion manager sends")};
constexpr OptionTable<PluginOptions> own_table{own_lines};

/// The name of an option in an earlier release.
struct Alias {
  std::string_view name, full_name;
};
constexpr std::array aliases{
    Alias{"deadlock", "deadlock.policy"}, Alias{"reversible", "deadlock.reversible"},
    Alias{"spread_lanes", "deadlock.spread"}, Alias{"first_lane", "deadlock.first_lane"}};

/// The options of a table here under their full names, which begin with the name of the table.
template <class T>
void append(std::vector<OptionDescription>& all, std::string_view group,
            const OptionTable<T>& table, const T& values) {
  for (OptionDescription& each : table.describe(values)) {
    if (!group.empty()) each.name = fmt::format("{}.{}", group, each.name);
    all.push_back(std::move(each));
  }
}

/// The value given for an option of a table here, under any of its names.
std::optional<GivenOption> given_by_any_name(const EngineOptions& all, const std::string& name) {
  std::optional<GivenOption> found;
  for (const auto& [each, value] : all.entries()) {
    if (full_option_name(each) != name) continue;
    if (found && found->value != value) {
      throw Error(ErrorKind::usage,
                  fmt::format("option {} is given twice, as {}={} and as {}={}", name, found->name,
                              excerpt(found->value), each, excerpt(value)));
    }
    found = GivenOption{each, value};
  }
  return found;
}

template <class T>
T read_group(const EngineOptions& all, std::string_view group, const OptionTable<T>& table,
             T options = {}) {
  return table.read(
      [&](std::string_view option) {
        return given_by_any_name(
            all, group.empty() ? std::string(option) : fmt::format("{}.{}", group, option));
      },
      options);
}

/// The options of engines.
EngineOptions engine_part(const EngineOptions& all) {
  EngineOptions engines;
  for (const auto& [name, value] : all.entries()) {
    if (!is_plugin_option(name)) engines.set(name, value);
  }
  return engines;
}

}  // namespace

bool is_plugin_option(std::string_view name) {
  static const std::vector<OptionDescription> own = plugin_option_list();
  return std::ranges::count(own, full_option_name(name), &OptionDescription::name) != 0;
}

void require_known_option(const GivenOption& option) {
  if (is_plugin_option(option.name) || is_engine_option(option.name)) return;
  std::vector<std::string> names;
  for (OptionDescription& each : plugin_option_list()) names.push_back(std::move(each.name));
  for (const Alias& alias : aliases) names.emplace_back(alias.name);
  for (std::string& name : engine_option_names()) names.push_back(std::move(name));
  throw unknown_option(option, names);
}

std::string_view full_option_name(std::string_view name) {
  const auto* const alias = std::ranges::find(aliases, name, &Alias::name);
  return alias == aliases.end() ? name : alias->full_name;
}

bool PluginOptions::is_given(std::string_view full_name) const {
  return std::ranges::any_of(all.entries(), [full_name](const auto& entry) {
    return full_option_name(entry.first) == full_name;
  });
}

StableOptions PluginOptions::stable_options(std::string_view engine) const {
  StableOptions options = engines.read(engine, stable_option_table());
  options = read_group(all, "stable", stable_option_table(), options);
  options.keep_long_management_paths = true;
  return options;
}

std::vector<std::string> PluginOptions::without_effect() const {
  std::vector<std::string> sentences;
  if (is_given("capacity_max_age") && capacity_file.empty()) {
    sentences.emplace_back("capacity_max_age needs capacity_file");
  }
  if (is_given("stable.rebaseline_gain") && rebaseline != Rebaseline::automatic) {
    sentences.emplace_back("stable.rebaseline_gain needs stable.rebaseline=auto");
  }
  if (stable) return sentences;
  if (background == BackgroundMode::on) sentences.emplace_back("background=on needs stable=on");
  if (is_given("stable.rebaseline")) {
    sentences.emplace_back("stable.rebaseline needs stable=on");
  }
  for (const OptionDescription& option : stable_option_table().describe()) {
    const std::string name = fmt::format("stable.{}", option.name);
    if (!is_given(name)) continue;
    sentences.push_back(fmt::format("{} needs stable=on", name));
  }
  return sentences;
}

PluginOptions parse_plugin_options(std::string_view text) {
  return plugin_options(EngineOptions::parse(text));
}

PluginOptions plugin_options(EngineOptions given) {
  EngineOptions all = std::move(given);
  for (const auto& [name, value] : all.entries()) require_known_option({name, value});
  const std::string file = read_group(all, "", own_table).options_file;
  if (!file.empty()) {
    const auto take = [&all](std::string_view entry) {
      GivenOption option = parse_option(entry);
      require_known_option(option);
      all.set(std::move(option.name), std::move(option.value));
    };
    read_options_file(file, take, [](const Error& error) { throw error; });
  }
  return interpret_options(std::move(all));
}

PluginOptions interpret_options(EngineOptions all) {
  PluginOptions options = read_group(all, "", own_table);
  options.deadlock = read_group(all, "deadlock", deadlock_option_table());
  options.budget = read_group(all, "budget", budget_option_table());
  read_group(all, "stable", stable_option_table());
  options.engines = engine_part(all);
  options.all = std::move(all);
  return options;
}

std::vector<OptionDescription> plugin_option_list(const PluginOptions& options) {
  std::vector<OptionDescription> all;
  append(all, "deadlock", deadlock_option_table(), options.deadlock);
  append(all, "stable", stable_option_table(), options.stable_options(""));
  append(all, "budget", budget_option_table(), options.budget);
  append(all, "", own_table, options);
  return all;
}

std::vector<std::string> options_in_force(const PluginOptions& options) {
  std::vector<std::string> lines;
  for (const OptionDescription& option : plugin_option_list(options)) {
    if (!option.fallback.empty()) lines.push_back(option.name + "=" + option.fallback);
  }
  for (const EngineDescription& engine : engine_registry()) {
    for (const OptionDescription& option : engine.options()) {
      const std::string value = options.engines.text(engine.name, option.name, option.fallback);
      if (value.empty()) continue;
      lines.push_back(fmt::format("{}.{}={}", engine.name, option.name, value));
    }
  }
  return lines;
}

}  // namespace pssp
