#pragma once

// Engine options as text, from the command line (`route_lft --set max_detour=1`) and from
// opensm.conf (`event_plugin_options max_detour=1`). Parsing and the errors for what is unknown are
// shared here; meaning and range belong to the engine.

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace pssp {

/// One option of an engine, for --help, docs and the check for unknown names.
struct OptionDescription {
  std::string_view name;
  std::string_view values;    ///< e.g. "0 .. 15", "FILE"
  std::string_view fallback;  ///< value when not given
  std::string_view meaning;   ///< one line
};

/// Name -> value. A name is `option` (for every engine that has it) or `engine.option` (for that
/// one; it wins).
class EngineOptions {
 public:
  /// Parses "name=value name=value ..." (blanks or commas between them). Throws Error(usage) on
  /// anything else, and on a name that is given twice with different values.
  static EngineOptions parse(std::string_view text);

  void set(std::string name, std::string value);
  /// Value for the engine, or the fallback.
  std::string text(std::string_view engine, std::string_view option,
                   std::string_view fallback) const;
  /// Throws Error(usage) when the value is no whole number in [low, high].
  std::uint64_t number(std::string_view engine, std::string_view option, std::uint64_t fallback,
                       std::uint64_t low, std::uint64_t high) const;
  /// Position of the value among `choices`, the first of which is the fallback. Throws Error(usage)
  /// when it is none of them.
  std::size_t choice(std::string_view engine, std::string_view option,
                     std::initializer_list<std::string_view> choices) const;
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
