// Options of the plugin are passed as NAME=VALUE. Options of OpenSM's engines become command-line
// arguments: `a=FILE` is `-a FILE`, and `scatter-ports=8` is `--scatter-ports 8`. The engines updn,
// dnup and torus-2QoS get the results of opensm_hints, because opensm finds no roots or torus on
// many real fabrics.

#include "ibsim_harness/engine_spec.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "routing/engines/engine.h"
#include "routing/options/opensm_engines.h"
#include "routing/options/plugin_options.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_alphanumeric(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

bool is_word(std::string_view text, std::string_view also) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return is_alphanumeric(c) || also.find(c) != std::string_view::npos;
  });
}

bool is_option(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (!is_word(text.substr(0, equals), "_.-")) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '\x7F'; });
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// opensm runs in another folder, so names of existing files are made absolute here.
std::string as_seen_from_anywhere(const std::string& value) {
  std::error_code ignored;
  const bool is_number =
      std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (is_number || !fs::exists(value, ignored)) return value;
  return fs::absolute(value).string();
}

std::vector<std::string> split_command_line(const EngineSpec& engine) {
  std::vector<std::string> words;
  for (const std::string& option : engine.options) {
    const std::size_t equals = option.find('=');
    const std::string name = option.substr(0, equals);
    words.push_back((name.size() == 1 ? "-" : "--") + name);
    if (equals != std::string::npos)
      words.push_back(as_seen_from_anywhere(option.substr(equals + 1)));
  }
  return words;
}

bool has_file(const fs::path& path) {
  std::error_code error;
  return !path.empty() && fs::file_size(path, error) > 0 && !error;
}

/// Calls opensm_hints for one result, and returns its message if there is no result.
std::string ask_for_hint(const Surroundings& surroundings, const SignalQueue& signals,
                         const std::string& what, const fs::path& topology, const fs::path& file) {
  std::error_code ignored;
  fs::remove(file, ignored);
  Command command;
  command.program = surroundings.built("bin/opensm_hints");
  command.arguments = {what, fs::absolute(topology).string(), "-o", file.string()};
  command.environment = surroundings.environment;
  command.errors = file.string() + ".err";
  run_to_end(command, signals);
  std::string said = read_file(command.errors);
  fs::remove(command.errors, ignored);
  said.erase(std::min(said.find('\n'), said.size()));
  constexpr std::string_view prefix = "opensm_hints: ";
  return said.starts_with(prefix) ? said.substr(prefix.size()) : said;
}

}  // namespace

EngineSpec parse_engine(std::string_view text) {
  EngineSpec engine;
  engine.text = text;
  engine.options = split(text, ':');
  engine.name = engine.options.front();
  engine.options.erase(engine.options.begin());
  engine.is_opensms = is_opensm_engine(engine.name);
  const bool is_engine = is_word(engine.name, "_-") && is_letter(engine.name.front()) &&
                         std::all_of(engine.options.begin(), engine.options.end(), is_option);
  if (!is_engine) {
    throw Error(ErrorKind::usage,
                "--engines: '" + excerpt(text) +
                    "' is not an engine; expected NAME or NAME:OPTION=VALUE, without "
                    "blanks and control characters");
  }
  for (const std::string& option : engine.options) {
    if (!engine.is_opensms && option.find('=') == std::string::npos) {
      throw Error(ErrorKind::usage, "--engines: '" + excerpt(text) +
                                        "': expected NAME=VALUE for an option of the plugin");
    }
  }
  if (!engine.is_opensms) require_valid_settings(engine.options, engine.name);
  return engine;
}

std::vector<EngineSpec> parse_engines(std::string_view list) {
  std::vector<EngineSpec> engines;
  for (const std::string& text : split(list, ',')) {
    engines.push_back(parse_engine(text));
    const auto is_same = [&](const EngineSpec& each) { return each.text == text; };
    if (std::find_if(engines.begin(), engines.end() - 1, is_same) != engines.end() - 1)
      throw Error(ErrorKind::usage, "--engines: " + excerpt(text) + " is given twice");
  }
  return engines;
}

std::vector<EngineSpec> all_engines() {
  std::vector<EngineSpec> engines;
  engines.reserve(opensm_engines.size() + engine_registry().size());
  for (const std::string_view name : opensm_engines) engines.push_back(parse_engine(name));
  for (const EngineDescription& ours : engine_registry())
    engines.push_back(parse_engine(ours.name));
  return engines;
}

bool is_setting(std::string_view text) {
  return is_option(text) && text.find('=') != std::string_view::npos;
}

void require_valid_settings(std::span<const std::string> settings, std::string_view engines) {
  EngineOptions given;
  for (const std::string& setting : settings) {
    GivenOption option = parse_option(setting);
    given.set(std::move(option.name), std::move(option.value));
  }
  const PluginOptions options = plugin_options(std::move(given));
  const std::vector<std::string> names = split(engines, ',');
  for (const EngineDescription& engine : engine_registry()) {
    if (std::find(names.begin(), names.end(), engine.name) != names.end())
      engine.make(options.engines);
  }
}

bool is_engine_list(std::string_view text) { return is_word(text, "_,-") && text.front() != '-'; }

bool needs_plugin(std::string_view engines) {
  const std::vector<std::string> names = split(engines, ',');
  return !std::all_of(names.begin(), names.end(), is_opensm_engine);
}

bool assigns_lanes(std::string_view engine) {
  return engine == "lash" || engine == "dfsssp" || engine == "nue" || engine == "torus-2QoS";
}

std::vector<std::string> opensm_needs(std::string_view engines) {
  std::vector<std::string> options;
  for (const std::string& name : split(engines, ',')) {
    if (assigns_lanes(name)) options.emplace_back("-Q");
    // Without -Q, nue uses one lane regardless of the limit.
    if (name == "nue") options.insert(options.end(), {"--nue_max_num_vls", "8"});
  }
  return options;
}

EngineHints find_hints(const Surroundings& surroundings, const SignalQueue& signals,
                       const fs::path& topology, const fs::path& directory) {
  EngineHints hints;
  hints.roots = directory / "roots.txt";
  hints.torus = directory / "torus.conf";
  ask_for_hint(surroundings, signals, "--roots", topology, hints.roots);
  hints.torus_reason = ask_for_hint(surroundings, signals, "--torus", topology, hints.torus);
  return hints;
}

TrialOptions options_for_trial(const EngineSpec& engine, const EngineHints& hints, unsigned lanes) {
  TrialOptions options;
  if (!engine.is_opensms) {
    options.plugin_settings = engine.options;
    return options;
  }
  std::vector<std::string>& words = options.opensm_options;
  words = split_command_line(engine);
  const auto is_configured = [&words](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (engine.name == "updn" || engine.name == "dnup") {
    if (!is_configured("-a") && !is_configured("--root_guid_file") && has_file(hints.roots))
      words.insert(words.end(), {"-a", hints.roots.string()});
  } else if (engine.name == "torus-2QoS" && !is_configured("--torus_config")) {
    if (has_file(hints.torus)) {
      words.insert(words.end(), {"--torus_config", hints.torus.string()});
    } else {
      options.refusal = hints.torus_reason;
    }
  } else if (engine.name == "nue") {
    words.insert(words.begin(), {"--nue_max_num_vls", std::to_string(lanes)});
  }
  return options;
}

fs::path engine_directory(const fs::path& parent, const EngineSpec& engine) {
  std::string name = engine.text;
  for (char& c : name)
    if (!is_alphanumeric(c) && std::string_view("_.=-").find(c) == std::string_view::npos) c = '_';
  return parent / name;
}

}  // namespace pssp
