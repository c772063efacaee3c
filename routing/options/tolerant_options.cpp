// An option is valid if the strict reader accepts it when it is given alone. So the valid values
// are defined in one place, which also covers future options. Afterwards, valid options are checked
// for contradictions.

#include "routing/options/tolerant_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/closest_name.h"
#include "base/confidential_reader.h"
#include "base/printable.h"
#include "routing/engines/engine.h"
#include "routing/engines/options_file.h"
#include "routing/options/opensm_engines.h"

namespace pssp {
namespace {

constexpr std::string_view deadlock_policy = "deadlock.policy";
constexpr std::string_view options_file = "options_file";

EngineOptions only(const GivenOption& option) {
  EngineOptions options;
  options.set(option.name, option.value);
  return options;
}

struct EngineWithDefault {
  const EngineDescription* engine;
  std::string fallback;
};

/// Engines with this option; the name may begin with the engine.
std::vector<EngineWithDefault> engines_with(std::string_view name) {
  std::vector<EngineWithDefault> engines;
  for (const EngineDescription& engine : engine_registry()) {
    for (const OptionDescription& option : engine.options()) {
      if (name == option.name || name == fmt::format("{}.{}", engine.name, option.name)) {
        engines.push_back({&engine, option.fallback});
      }
    }
  }
  return engines;
}

/// What the plugin does if the option is invalid, as the end of a sentence.
std::string consequence(std::string_view name) {
  const std::string_view full_name = full_option_name(name);
  if (full_name == deadlock_policy) return "using deadlock=require";
  std::set<std::string> defaults;
  for (const OptionDescription& option : plugin_option_list()) {
    if (option.name == full_name) defaults.insert(option.fallback);
  }
  for (const EngineWithDefault& each : engines_with(name)) defaults.insert(each.fallback);
  if (defaults.size() > 1) return "using the default of each engine";
  const std::string fallback = defaults.empty() ? std::string() : *defaults.begin();
  return fmt::format("using the default, {}", fallback.empty() ? "none" : fallback);
}

/// Programs of ordinary users show the invalid line of a file. The plugin does not, because its log
/// may be readable by all users.
std::string for_log(const Error& error, const GivenOption& option) {
  const std::string_view text = error.what();
  if (!option.value.starts_with('/') || !text.starts_with(option.value + ':')) return error.what();
  ConfidentialReader file;
  file.note(option.value);
  return file.redacted(error).what();
}

/// Collects the valid options, and a fault for each invalid one.
class TolerantReader {
 public:
  TolerantOptions read(std::string_view text) {
    for (const std::string_view entry : option_entries(text)) take(entry);
    take_file();
    drop_contradictions();
    if (is_policy_doubtful_) require_deadlock_freedom();
    return {interpret_options(collected()), std::move(faults_)};
  }

 private:
  struct RightOption {
    GivenOption given;
    /// The engines that accept the value, if not all engines with the option do.
    std::vector<std::string_view> engines = {};
  };

  void add_fault(LogCode code, std::string text) { faults_.push_back({code, std::move(text)}); }

  void take(std::string_view entry) {
    GivenOption option;
    LogCode code = LogCode::malformed_option;
    try {
      option = parse_option(entry);
      code = LogCode::unknown_option;
      require_known_option(option);
    } catch (const Error& error) {
      add_fault(code, fmt::format("{}; it is ignored", error.what()));
      return;
    }
    if (is_plugin_option(option.name)) {
      take_of_plugin(std::move(option));
    } else {
      take_of_engines(std::move(option));
    }
  }

  void take_of_plugin(GivenOption option) {
    try {
      interpret_options(only(option));
      right_.push_back({std::move(option)});
    } catch (const Error& error) {
      doubt(option.name);
      add_fault(LogCode::wrong_value,
                fmt::format("{}; {}", error.what(), consequence(option.name)));
    }
  }

  void take_of_engines(GivenOption option) {
    RightOption right{std::move(option)};
    std::vector<std::string_view> refusing;
    std::optional<Error> refusal;
    for (const EngineWithDefault& each : engines_with(right.given.name)) {
      try {
        each.engine->make(only(right.given));
        right.engines.push_back(each.engine->name);
      } catch (const Error& error) {
        if (!refusal) refusal = error;
        refusing.push_back(each.engine->name);
      }
    }
    if (refusal) report_refusal(right, *refusal, refusing);
    if (right.engines.empty()) return;
    if (!refusal) right.engines.clear();
    right_.push_back(std::move(right));
  }

  void report_refusal(const RightOption& option, const Error& refusal,
                      const std::vector<std::string_view>& refusing) {
    const std::string for_whom =
        option.engines.empty() ? "" : fmt::format("{}: ", fmt::join(refusing, ", "));
    const std::string what = consequence(option.given.name);
    if (refusal.kind() == ErrorKind::usage) {
      add_fault(LogCode::wrong_value, fmt::format("{}; {}{}", refusal.what(), for_whom, what));
    } else {
      add_fault(LogCode::file_of_option,
                fmt::format("option {}: {}; {}{}", option.given.name,
                            for_log(refusal, option.given), for_whom, what));
    }
  }

  /// The only file of options; none if several are named.
  std::string file_of_options() const {
    std::string file;
    for (const RightOption& each : right_) {
      if (each.given.name != options_file) continue;
      if (!file.empty() && file != each.given.value) return {};
      file = each.given.value;
    }
    return file;
  }

  void take_file() {
    const std::string file = file_of_options();
    if (file.empty()) return;
    // The fault of an entry is thrown, so that it gets a location and is filtered by for_log().
    const auto take_entry = [this](std::string_view entry) {
      const std::size_t before = faults_.size();
      if (entry.substr(0, entry.find('=')) == options_file) {
        add_fault(LogCode::wrong_value,
                  fmt::format("option {}: not allowed in an options file; it is ignored",
                              excerpt(entry)));
      } else {
        take(entry);
      }
      if (faults_.size() != before) throw Error(ErrorKind::usage, faults_.back().text);
    };
    const auto tell = [this](const Error& error) {
      if (error.kind() == ErrorKind::usage) {
        faults_.back().text = error.what();
      } else {
        add_fault(LogCode::malformed_option, fmt::format("{}; the line is ignored", error.what()));
      }
    };
    try {
      read_options_file(file, take_entry, tell);
    } catch (const Error& error) {
      drop(options_file);
      add_fault(LogCode::options_file,
                fmt::format("option options_file: {}; its options are missing", error.what()));
    }
  }

  void drop_contradictions() {
    std::map<std::string, std::vector<GivenOption>, std::less<>> by_name;
    for (const RightOption& each : right_) {
      std::vector<GivenOption>& given = by_name[std::string(full_option_name(each.given.name))];
      const bool is_new = std::ranges::count(given, each.given.value, &GivenOption::value) == 0;
      if (is_new) given.push_back(each.given);
    }
    for (const auto& [name, given] : by_name) {
      if (given.size() == 1) continue;
      doubt(name);
      add_fault(LogCode::contradiction,
                fmt::format("option {} is given twice, as {}={} and as {}={}; {}", name,
                            given[0].name, excerpt(given[0].value), given[1].name,
                            excerpt(given[1].value), consequence(name)));
      drop(name);
    }
  }

  void drop(std::string_view full_name) {
    std::erase_if(right_, [full_name](const RightOption& each) {
      return full_option_name(each.given.name) == full_name;
    });
  }

  void doubt(std::string_view name) {
    is_policy_doubtful_ = is_policy_doubtful_ || full_option_name(name) == deadlock_policy;
  }

  /// Since an option concerns deadlocks, the strictest policy is the safe choice.
  void require_deadlock_freedom() {
    drop(deadlock_policy);
    right_.push_back({{std::string(deadlock_policy), "require"}});
  }

  EngineOptions collected() const {
    EngineOptions options;
    for (const auto& [given, engines] : right_) {
      if (engines.empty()) options.set(given.name, given.value);
    }
    // A name that begins with the engine takes precedence.
    for (const auto& [given, engines] : right_) {
      for (const std::string_view engine : engines) {
        const std::string name = fmt::format("{}.{}", engine, given.name);
        if (!given.name.starts_with(fmt::format("{}.", engine)) &&
            !options.entries().contains(name)) {
          options.set(name, given.value);
        }
      }
    }
    return options;
  }

  std::vector<RightOption> right_;
  std::vector<OptionFault> faults_;
  bool is_policy_doubtful_ = false;
};

}  // namespace

TolerantOptions read_tolerantly(std::string_view event_plugin_options) {
  return TolerantReader().read(event_plugin_options);
}

std::vector<OptionFault> engine_name_faults(std::string_view routing_engine) {
  std::vector<std::string_view> ours;
  for (const EngineDescription& engine : engine_registry()) ours.push_back(engine.name);
  std::vector<OptionFault> faults;
  for (const std::string_view name : option_entries(routing_engine)) {
    const bool is_opensms = is_opensm_engine(name) || name == "no_fallback";
    if (is_opensms || std::ranges::count(ours, name) != 0) continue;
    const std::size_t colon = name.find(':');
    const std::string_view engine = name.substr(0, colon);
    if (colon != std::string_view::npos && std::ranges::count(ours, engine) != 0) {
      faults.push_back(
          {LogCode::engine_name,
           fmt::format("routing_engine {}: OpenSM takes no options there and skips this engine; "
                       "write routing_engine {} and event_plugin_options {}.NAME=VALUE",
                       excerpt(name), engine, engine)});
    } else if (const std::string_view meant = closest_name(name, ours); !meant.empty()) {
      faults.push_back(
          {LogCode::engine_name,
           fmt::format("routing_engine {}: unknown engine, OpenSM skips it; did you mean {}?",
                       excerpt(name), meant)});
    }
  }
  return faults;
}

}  // namespace pssp
