// Scans the first object of a list. Strings are skipped as a whole, so that neither a name of a
// node nor a nested object can add a field.

#include "fabric/formats/json_beginning.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace pssp {
namespace {

using namespace std::string_view_literals;

void skip_blanks(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

bool take_next(std::string_view& text, char c) {
  skip_blanks(text);
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

/// Removes a string and returns the text between its quotes; none if the string is incomplete.
std::optional<std::string_view> take_string(std::string_view& text) {
  if (!take_next(text, '"')) return std::nullopt;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      const std::string_view content = text.substr(0, at);
      text.remove_prefix(at + 1);
      return content;
    }
  }
  return std::nullopt;
}

/// Removes the value of a field, up to the comma or brace after it; false if the text ends before.
bool skip_value(std::string_view& text) {
  std::size_t depth = 0;
  while (!text.empty()) {
    const char c = text.front();
    if (c == '"') {
      if (!take_string(text)) return false;
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}')) return true;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && depth > 0) --depth;
    text.remove_prefix(1);
  }
  return false;
}

/// The names of the fields of an object, after its brace.
std::vector<std::string_view> field_names(std::string_view text) {
  std::vector<std::string_view> names;
  do {
    const std::optional<std::string_view> name = take_string(text);
    if (!name || !take_next(text, ':')) break;
    names.push_back(*name);
    if (!skip_value(text)) break;
  } while (take_next(text, ','));
  return names;
}

struct Clue {
  JsonKind kind;
  std::array<std::string_view, 3> fields;
};

// Combinations of fields in the public SDK of UFM that identify each answer.
constexpr std::array clues{
    Clue{JsonKind::ufm_links, {"source_guid"sv, "destination_guid"sv, "source_port"sv}},
    Clue{JsonKind::ufm_ports, {"name"sv, "number"sv, "logical_state"sv}},
    Clue{JsonKind::ufm_systems, {"guid"sv, "system_name"sv, "type"sv}},
};

}  // namespace

JsonKind json_kind(std::string_view text) {
  const bool is_list = take_next(text, '[');
  if (!take_next(text, '{')) {
    return is_list && take_next(text, ']') ? JsonKind::other : JsonKind::none;
  }
  std::string_view first = text;
  skip_blanks(first);
  // A link list of opensm begins with "{ SW Ports:".
  if (first.empty() || (first.front() != '"' && first.front() != '}')) return JsonKind::none;
  if (!is_list) return JsonKind::other;
  const std::vector<std::string_view> names = field_names(text);
  for (const Clue& clue : clues) {
    if (std::ranges::all_of(clue.fields, [&names](std::string_view field) {
          return std::ranges::find(names, field) != names.end();
        })) {
      return clue.kind;
    }
  }
  return JsonKind::other;
}

}  // namespace pssp
