// The notation of opensm's complib (cl_nodenamemap.c), which ignores invalid lines; here they are
// errors, because a name that silently does not apply is hard to find.

#include "fabric/nodes/node_name_map.h"

#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

/// The rest of the line after the GUID: a name, with or without quotes.
std::optional<std::string_view> take_name(std::string_view rest) {
  rest = trimmed(rest);
  if (rest.empty() || rest.front() != '"') {
    const std::string_view name = trimmed(rest.substr(0, rest.find('#')));
    return name.empty() ? std::nullopt : std::optional(name);
  }
  rest.remove_prefix(1);
  const std::size_t end = rest.find('"');
  if (end == 0 || end == std::string_view::npos) return std::nullopt;
  const std::string_view behind = trimmed(rest.substr(end + 1));
  if (!behind.empty() && behind.front() != '#') return std::nullopt;
  return rest.substr(0, end);
}

}  // namespace

NodeNameMap parse_node_name_map(std::string_view text, std::string_view name) {
  NodeNameMap names;
  TextLines lines(text, name);
  while (lines.next()) {
    std::string_view line = trimmed(lines.line());
    if (line.empty() || line.front() == '#') continue;
    const std::string_view whole = line;
    const bool is_hexadecimal = line.starts_with("0x") || line.starts_with("0X");
    if (is_hexadecimal) line.remove_prefix(2);
    const std::optional<std::uint64_t> guid = is_hexadecimal ? take_number(line, 16) : std::nullopt;
    const std::optional<std::string_view> label = take_name(line);
    if (!guid || *guid == 0 || line.empty() || (line.front() != ' ' && line.front() != '\t') ||
        !label) {
      lines.fail(fmt::format("'{}': expected a GUID (0x...) and the name of its node in quotes",
                             excerpt(whole)));
    }
    if (!names.try_emplace(*guid, *label).second) {
      lines.fail(fmt::format("node 0x{:016x} already has a name", *guid));
    }
  }
  return names;
}

NodeNameMap read_node_name_map(const std::string& file) {
  constexpr std::size_t largest_file = std::size_t{64} << 20;
  return parse_node_name_map(read_file(file, largest_file), file);
}

}  // namespace pssp
