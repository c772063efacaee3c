#include "routing/engines/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/closest_name.h"
#include "base/error.h"
#include "base/printable.h"
#include "routing/engines/engine.h"

namespace pssp {
namespace {

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::usage, printable(message));
}

bool engine_has(const EngineDescription& engine, std::string_view option) {
  return std::ranges::any_of(
      engine.options(), [option](const OptionDescription& each) { return each.name == option; });
}

/// What stands behind the engine's or the group's name; all of a name without a dot.
std::string_view last_part(std::string_view name) { return name.substr(name.rfind('.') + 1); }

}  // namespace

std::vector<std::string_view> option_entries(std::string_view text) {
  constexpr std::string_view separators = " \t\r\n,";
  std::vector<std::string_view> entries;
  std::size_t begin = text.find_first_not_of(separators);
  while (begin != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, begin), text.size());
    entries.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(separators, end);
  }
  return entries;
}

GivenOption parse_option(std::string_view entry) {
  if (printable(entry) != entry) {
    refuse(fmt::format("option {}: it contains control characters", excerpt(entry)));
  }
  const std::size_t equals = entry.find('=');
  if (equals == 0 || equals == std::string_view::npos || equals + 1 == entry.size()) {
    refuse(fmt::format("option {}: not of the form name=value, without blanks", excerpt(entry)));
  }
  return {std::string(entry.substr(0, equals)), std::string(entry.substr(equals + 1))};
}

bool is_engine_option(std::string_view name) {
  const std::size_t dot = name.find('.');
  return std::ranges::any_of(engine_registry(), [&](const EngineDescription& engine) {
    if (dot == std::string_view::npos) return engine_has(engine, name);
    return engine.name == name.substr(0, dot) && engine_has(engine, name.substr(dot + 1));
  });
}

std::vector<std::string> engine_option_names() {
  std::vector<std::string> names;
  for (const EngineDescription& engine : engine_registry()) {
    for (const OptionDescription& option : engine.options()) {
      names.push_back(option.name);
      names.push_back(fmt::format("{}.{}", engine.name, option.name));
    }
  }
  return names;
}

Error unknown_option(const GivenOption& option, std::span<const std::string> known) {
  const std::vector<std::string_view> names(known.begin(), known.end());
  std::string hint = did_you_mean(option.name, names);
  if (hint.empty()) {
    // `policy` for deadlock.policy, and `pssp.stable` for stable.
    std::vector<std::string_view> parts;
    parts.reserve(names.size());
    for (const std::string_view name : names) parts.push_back(last_part(name));
    const std::string_view nearest = closest_name(last_part(option.name), parts);
    const auto found = std::ranges::find(parts, nearest);
    hint = found == parts.end()
               ? "; pssp route --list shows all options"
               : fmt::format("; did you mean {}?",
                             names[static_cast<std::size_t>(found - parts.begin())]);
  }
  return {ErrorKind::usage, printable(fmt::format("option {}={}: unknown{}", excerpt(option.name),
                                                  excerpt(option.value), hint))};
}

EngineOptions EngineOptions::parse(std::string_view text) {
  EngineOptions options;
  for (const std::string_view entry : option_entries(text)) {
    GivenOption option = parse_option(entry);
    options.set(std::move(option.name), std::move(option.value));
  }
  return options;
}

void EngineOptions::set(std::string name, std::string value) {
  const auto [found, is_new] = entries_.try_emplace(std::move(name), value);
  if (!is_new && found->second != value) {
    refuse(fmt::format("option {0} is given twice, as {0}={1} and as {0}={2}",
                       excerpt(found->first), excerpt(found->second), excerpt(value)));
  }
}

std::optional<GivenOption> EngineOptions::given(std::string_view engine,
                                                std::string_view option) const {
  auto found = entries_.find(fmt::format("{}.{}", engine, option));
  if (found == entries_.end()) found = entries_.find(option);
  if (found == entries_.end()) return std::nullopt;
  return GivenOption{found->first, found->second};
}

void EngineOptions::require_known() const {
  for (const auto& [name, value] : entries_) {
    if (!is_engine_option(name)) throw unknown_option({name, value}, engine_option_names());
  }
}

}  // namespace pssp
