#pragma once

// Engine options as text, from the command line (`route_lft --set max_extra_hops=1`) and from
// opensm.conf (`event_plugin_options max_extra_hops=1`). Parsing and the errors for what is unknown
// are shared here; meaning and range belong to the engine.

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/option_table.h"

namespace pssp {

/// The entries of "name=value name=value ...", blanks or commas between them; views of `text`.
std::vector<std::string_view> option_entries(std::string_view text);
/// Throws Error(usage) on an entry that is not of the form name=value or holds control characters.
GivenOption parse_option(std::string_view entry);

/// Whether a registered engine has the option, under its name alone or behind the engine's.
bool is_engine_option(std::string_view name);
/// All such names: "max_extra_hops", "pssp.max_extra_hops", ...
std::vector<std::string> engine_option_names();
/// An Error(usage) about an option that does not exist, with the nearest of the `known` names.
Error unknown_option(const GivenOption& option, std::span<const std::string> known);

/// Name -> value. A name is `option` (for every engine that has it) or `engine.option` (for that
/// one; it wins).
class EngineOptions {
 public:
  /// Parses "name=value name=value ..." (blanks or commas between them). Throws Error(usage) as
  /// parse_option() does, and on a name that is given twice with different values.
  static EngineOptions parse(std::string_view text);

  void set(std::string name, std::string value);
  /// What was given for the engine. A name with the engine before it wins.
  std::optional<GivenOption> given(std::string_view engine, std::string_view option) const;
  /// Its value, or the fallback.
  std::string text(std::string_view engine, std::string_view option,
                   std::string_view fallback) const {
    const std::optional<GivenOption> found = given(engine, option);
    return found ? found->value : std::string(fallback);
  }
  /// The options of the engine's table, with the values given for it. Throws Error(usage) when a
  /// value is none that the table allows.
  template <class T>
  T read(std::string_view engine, const OptionTable<T>& table) const {
    return table.read([&](std::string_view option) { return given(engine, option); });
  }
  const std::map<std::string, std::string, std::less<>>& entries() const noexcept {
    return entries_;
  }

  /// Throws unknown_option() for an entry that no registered engine has.
  void require_known() const;

 private:
  std::map<std::string, std::string, std::less<>> entries_;
};

}  // namespace pssp
