#include "routing/engines/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/shown.h"
#include "routing/engines/engine.h"

namespace pssp {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::usage, printable(message));
}

bool has_control_characters(std::string_view text) { return printable(text) != text; }

bool engine_has(const EngineDescription& engine, std::string_view option) {
  return std::ranges::any_of(
      engine.options(), [option](const OptionDescription& each) { return each.name == option; });
}

bool is_known(std::string_view name) {
  const std::size_t dot = name.find('.');
  for (const EngineDescription& engine : engine_registry()) {
    if (dot == std::string_view::npos) {
      if (engine_has(engine, name)) return true;
    } else if (engine.name == name.substr(0, dot)) {
      return engine_has(engine, name.substr(dot + 1));
    }
  }
  return false;
}

std::vector<std::string> known_options() {
  std::vector<std::string> names;
  for (const EngineDescription& engine : engine_registry()) {
    for (const OptionDescription& option : engine.options()) {
      names.push_back(fmt::format("{}.{}", engine.name, option.name));
    }
  }
  return names;
}

}  // namespace

EngineOptions EngineOptions::parse(std::string_view text) {
  constexpr std::string_view separators = " \t\r\n,";
  EngineOptions options;
  std::size_t begin = text.find_first_not_of(separators);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    const std::string_view entry = text.substr(begin, end - begin);
    const std::size_t equals = entry.find('=');
    if (has_control_characters(entry)) {
      refuse(fmt::format("option '{}' holds control characters", shown(entry)));
    }
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == entry.size()) {
      refuse(fmt::format("option '{}' is not of the form name=value", shown(entry)));
    }
    options.set(std::string(entry.substr(0, equals)), std::string(entry.substr(equals + 1)));
    begin = text.find_first_not_of(separators, end);
  }
  return options;
}

void EngineOptions::set(std::string name, std::string value) {
  const auto [found, is_new] = entries_.try_emplace(std::move(name), value);
  if (!is_new && found->second != value) {
    refuse(fmt::format("option '{}' is given twice, as '{}' and as '{}'", shown(found->first),
                       shown(found->second), shown(value)));
  }
}

std::optional<std::string> EngineOptions::given(std::string_view engine,
                                                std::string_view option) const {
  auto found = entries_.find(fmt::format("{}.{}", engine, option));
  if (found == entries_.end()) found = entries_.find(option);
  if (found == entries_.end()) return std::nullopt;
  return found->second;
}

void EngineOptions::require_known() const {
  for (const auto& [name, value] : entries_) {
    if (!is_known(name)) {
      refuse(
          fmt::format("option '{}' is unknown; known are {} (without the engine's name: for "
                      "every engine that has it)",
                      shown(name), fmt::join(known_options(), ", ")));
    }
  }
}

}  // namespace pssp
