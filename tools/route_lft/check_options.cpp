// The plugin and this file use the same functions, set_up_plugin() and read_congestion_option(),
// which also make the texts of the plugin's log; so the output equals the log.

#include "tools/route_lft/check_options.h"

#include <fmt/format.h>

#include <cstdio>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "congestion/plugin_option.h"
#include "routing/engines/engine.h"
#include "routing/options/plugin_setup.h"

namespace pssp {
namespace {

/// The predicted lines of the log: errors, and the options in effect.
struct Foretold {
  std::vector<std::string> errors, remarks;
};

void foretell_congestion_control(const std::string& option, Foretold& foretold) {
  if (option.empty()) return;
  try {
    for (const std::string& line : read_congestion_option(option).summary()) {
      foretold.remarks.push_back(with_topic(LogTopic::congestion_control, line));
    }
  } catch (const Error& error) {
    foretold.errors.push_back(
        with_code(LogCode::congestion_control, congestion_refusal(error.what())));
  }
}

Foretold foretell(const PluginSetup& setup) {
  Foretold foretold{fault_lines(setup.faults), {}};
  for (const std::string& each : setup.options.without_effect()) {
    foretold.remarks.push_back(with_topic(LogTopic::option_without_effect, each));
  }
  foretell_congestion_control(setup.options.congestion_control, foretold);
  return foretold;
}

void append(std::string& text, std::span<const OptionDescription> options) {
  for (const OptionDescription& option : options) {
    text += fmt::format("    {}={} (default {}): {}\n", option.name, option.values, option.fallback,
                        option.meaning);
  }
}

}  // namespace

int check_options(const std::string& event_plugin_options) {
  const PluginSetup setup = set_up_plugin(event_plugin_options);
  const Foretold foretold = foretell(setup);
  std::string answer;
  for (const std::string& option : options_in_force(setup.options)) answer += option + "\n";
  for (const std::string& line : foretold.remarks) answer += "osmpssp: " + printable(line) + "\n";
  write_file("-", answer);
  for (const std::string& line : foretold.errors) {
    // Errors of printing to stderr cannot be reported.
    static_cast<void>(std::fprintf(stderr, "osmpssp: %s\n", printable(line).c_str()));
  }
  return foretold.errors.empty() ? 0 : static_cast<int>(ErrorKind::usage);
}

std::string list_of_options() {
  std::string text;
  for (const EngineDescription& engine : engine_registry()) {
    text += fmt::format("{}: {}\n", engine.name, engine.summary);
    append(text, engine.options());
  }
  text +=
      "\n"
      "General options, for event_plugin_options and, if they do not concern opensm alone, "
      "for --set:\n";
  append(text, plugin_option_list());
  return text;
}

}  // namespace pssp
