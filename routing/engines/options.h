#pragma once

// Engine options as text, from the command line (`route_lft --set max_detour=1`) and from
// opensm.conf (`event_plugin_options max_detour=1`). Parsing and the errors for what is unknown are
// shared here; meaning and range belong to the engine.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/option_table.h"

namespace pssp {

/// Name -> value. A name is `option` (for every engine that has it) or `engine.option` (for that
/// one; it wins).
class EngineOptions {
 public:
  /// Parses "name=value name=value ..." (blanks or commas between them). Throws Error(usage) on
  /// anything else, and on a name that is given twice with different values.
  static EngineOptions parse(std::string_view text);

  void set(std::string name, std::string value);
  /// Value that was given for the engine. A name with the engine before it wins.
  std::optional<std::string> given(std::string_view engine, std::string_view option) const;
  /// The same, or the fallback.
  std::string text(std::string_view engine, std::string_view option,
                   std::string_view fallback) const {
    return given(engine, option).value_or(std::string(fallback));
  }
  /// The options of the engine's table, with the values given for it. Throws Error(usage) when a
  /// value is none that the table allows.
  template <class T>
  T read(std::string_view engine, const OptionTable<T>& table) const {
    return table.read(
        [&](std::string_view option) -> std::optional<GivenOption> {
          std::optional<std::string> value = given(engine, option);
          if (!value) return std::nullopt;
          return GivenOption{std::string(option), *std::move(value)};
        },
        " of engine " + std::string(engine));
  }
  const std::map<std::string, std::string, std::less<>>& entries() const noexcept {
    return entries_;
  }

  /// Throws Error(usage), with the options that exist, when an entry names an option that no
  /// registered engine has.
  void require_known() const;

 private:
  std::map<std::string, std::string, std::less<>> entries_;
};

}  // namespace pssp
