#include "osm_plugin/plugin_options.h"

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "routing/engines/options_file.h"
#include "routing/support/error.h"

namespace pssp {
namespace {

constexpr std::string_view file_option = "options_file";
constexpr std::string_view credit_loop_option = "credit_loop_check";
constexpr std::string_view congestion_option = "congestion_control";

bool is_own(std::string_view name) {
  return name == file_option || name == credit_loop_option || name == congestion_option;
}

bool parse_switch(std::string_view name, std::string_view value) {
  if (value == "on") return true;
  if (value == "off") return false;
  throw Error(ErrorKind::usage, fmt::format("option '{}={}': expected on or off", name, value));
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
    throw Error(error.kind(),
                fmt::format("{}; options of the plugin are {}, {} and {}", error.what(),
                            file_option, credit_loop_option, congestion_option));
  }
}

}  // namespace

PluginOptions parse_plugin_options(std::string_view text) {
  EngineOptions all = EngineOptions::parse(text);
  require_known(all);
  const std::filesystem::path file = all.text("", file_option, "");
  if (!file.empty()) {
    // opensm as a daemon has another working directory than the shell that it was tried in.
    if (!file.is_absolute()) {
      throw Error(ErrorKind::usage, fmt::format("option '{}={}': expected an absolute path",
                                                file_option, file.string()));
    }
    read_options_file(file, require_known, all);
  }
  PluginOptions options;
  options.credit_loop_check =
      parse_switch(credit_loop_option, all.text("", credit_loop_option, "on"));
  options.congestion_control = all.text("", congestion_option, "");
  options.engines = engine_part(all);
  return options;
}

}  // namespace pssp
