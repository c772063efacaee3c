#include "evaluator/paths/pair_file.h"

#include <fmt/core.h>

#include <optional>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

/// Reads a word in double quotes, after its opening quote.
std::string take_quoted(std::string_view& rest, const TextLines& lines) {
  std::string word;
  while (!rest.empty() && rest.front() != '"') {
    if (rest.front() == '\\') {
      rest.remove_prefix(1);
      if (rest.empty() || (rest.front() != '"' && rest.front() != '\\')) {
        lines.fail("a backslash in quotes must be followed by \" or \\");
      }
    }
    word += rest.front();
    rest.remove_prefix(1);
  }
  if (!take(rest, "\"")) lines.fail("the closing quote (\") is missing");
  if (!rest.empty() && !is_blank(rest.front())) {
    lines.fail("expected a blank after the closing quote (\")");
  }
  return word;
}

/// The next word of the line, none if only blanks or a comment remain.
std::optional<std::string> next_word(std::string_view& rest, const TextLines& lines) {
  rest = without_indent(rest);
  if (rest.empty() || rest.front() == '#') return std::nullopt;
  if (take(rest, "\"")) return take_quoted(rest, lines);
  return std::string(take_word(rest));
}

PathEnd resolved(const std::string& word, const NodeDirectory& nodes, const TextLines& lines) {
  try {
    return nodes.find(word);
  } catch (const Error& error) {
    lines.fail(error.what());
  }
}

}  // namespace

std::vector<PathPair> parse_path_pairs(std::string_view text, std::string_view name,
                                       const NodeDirectory& nodes) {
  std::vector<PathPair> pairs;
  TextLines lines(text, name, describe_content);
  while (lines.next()) {
    std::string_view rest = lines.line();
    const std::optional<std::string> source = next_word(rest, lines);
    if (!source) continue;
    const std::optional<std::string> destination = next_word(rest, lines);
    if (!destination) {
      lines.fail(
          fmt::format("'{}' has no destination; expected SOURCE DESTINATION", excerpt(*source)));
    }
    if (next_word(rest, lines)) {
      lines.fail(
          "more than two words; expected SOURCE DESTINATION, with double quotes around names that "
          "contain blanks");
    }
    pairs.push_back({resolved(*source, nodes, lines), resolved(*destination, nodes, lines)});
  }
  return pairs;
}

std::vector<PathPair> read_path_pairs(const std::filesystem::path& path,
                                      const NodeDirectory& nodes) {
  constexpr std::size_t limit = std::size_t{256} << 20;
  return parse_path_pairs(read_file(path, limit), path.string(), nodes);
}

}  // namespace pssp
