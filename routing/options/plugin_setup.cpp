#include "routing/options/plugin_setup.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace pssp {
namespace {

EngineSetup set_up(const EngineDescription& engine, const PluginOptions& options,
                   std::vector<OptionFault>& faults) {
  try {
    return {engine.name, engine.make(options.engines), options.stable_options(engine.name)};
  } catch (const Error&) {
    // Each option is valid alone, so the file has just changed. Its content may be confidential.
    faults.push_back({LogCode::engine_options,
                      fmt::format("engine {} refuses its options as a whole; using all its "
                                  "defaults; to see why, run pssp route --engine {} --set OPTION",
                                  engine.name, engine.name)});
    return {engine.name, engine.make({}), PluginOptions().stable_options(engine.name)};
  }
}

}  // namespace

PluginSetup set_up_plugin(std::string_view event_plugin_options) {
  TolerantOptions read = read_tolerantly(event_plugin_options);
  PluginSetup setup{std::move(read.options), {}, std::move(read.faults)};
  for (const EngineDescription& engine : engine_registry()) {
    setup.engines.push_back(set_up(engine, setup.options, setup.faults));
  }
  return setup;
}

std::vector<OptionFault> faults_to_log(const std::vector<OptionFault>& faults) {
  constexpr std::size_t most_lines = 20;
  if (faults.size() <= most_lines) return faults;
  std::vector<OptionFault> first(faults.begin(), faults.begin() + most_lines);
  first.push_back({LogCode::more_faults,
                   fmt::format("{} more options are wrong; correct the options listed above first",
                               faults.size() - most_lines)});
  return first;
}

std::vector<std::string> fault_lines(const std::vector<OptionFault>& faults) {
  std::vector<std::string> lines;
  for (const OptionFault& each : faults_to_log(faults)) {
    lines.push_back(with_code(each.code, each.text));
  }
  return lines;
}

}  // namespace pssp
