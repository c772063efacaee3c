#include "routing/options/plugin_setup.h"

#include <fmt/format.h>

#include "base/discreet_reader.h"
#include "base/error.h"

namespace pssp {
namespace {

/// Engines read files for programs of ordinary users, too, who shall see what is wrong with a line.
/// The plugin's log may be read by everybody.
std::string told_in_log(const Error& error, const EngineOptions& options) {
  const std::string_view text = error.what();
  for (const auto& [name, value] : options.entries()) {
    if (!value.starts_with('/') || !text.starts_with(value) ||
        !text.substr(value.size()).starts_with(':')) {
      continue;
    }
    DiscreetReader file;
    file.note(value);
    return file.told(error).what();
  }
  return error.what();
}

EngineSetup set_up(const EngineDescription& engine, const PluginOptions& options) {
  EngineSetup setup{engine.name, nullptr, {}, {}};
  try {
    setup.stable = options.stable_options(engine.name);
    setup.engine = make_engine(engine.name, options.engines);
  } catch (const Error& error) {
    setup.engine = nullptr;
    setup.refusal = told_in_log(error, options.all);
  }
  return setup;
}

}  // namespace

PluginSetup set_up_plugin(std::string_view event_plugin_options) {
  PluginSetup setup;
  try {
    setup.options = parse_plugin_options(event_plugin_options);
    for (const EngineDescription& engine : engine_registry()) {
      setup.engines.push_back(set_up(engine, setup.options));
    }
  } catch (const Error& error) {
    setup.refusal = error.what();
    setup.engines.clear();
    for (const EngineDescription& engine : engine_registry()) {
      setup.engines.push_back({engine.name, nullptr, {}, setup.refusal});
    }
  }
  return setup;
}

std::string wrong_options(std::string_view reason) {
  return fmt::format("wrong event_plugin_options, this engine does not route: {}", reason);
}

}  // namespace pssp
