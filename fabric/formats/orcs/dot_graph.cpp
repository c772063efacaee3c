// A scanner that returns tokens, and a parser with its open subgraphs in a vector, so that depth
// needs no stack. Text is copied only if a quoted string has escapes or consists of several parts.

#include "fabric/formats/orcs/dot_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/text_lines.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

constexpr std::size_t max_depth = 64;
constexpr std::size_t max_default_statements = 1000, max_defaults = 100;

enum class Mark : std::uint8_t {
  end,
  identifier,
  open_brace,
  close_brace,
  open_bracket,
  close_bracket,
  semicolon,
  comma,
  equals,
  colon,
  plus,
  arrow,
  line,
};

struct Token {
  Mark mark = Mark::end;
  std::string_view text;
  bool is_quoted = false;  // quoted words are not keywords
};

bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

bool is_keyword(const Token& token, std::string_view keyword) {
  return token.mark == Mark::identifier && !token.is_quoted &&
         std::equal(token.text.begin(), token.text.end(), keyword.begin(), keyword.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

class Scanner {
 public:
  Scanner(std::string_view text, std::string_view name, std::deque<std::string>& kept)
      : rest_(text), name_(name), kept_(kept) {}

  Token next();
  std::size_t line() const noexcept { return line_; }
  [[noreturn]] void fail(std::string_view message) const { fail_at(name_, line_, message); }

 private:
  void skip_blanks();
  void remove(std::size_t count) {
    line_ += static_cast<std::size_t>(std::count(rest_.data(), rest_.data() + count, '\n'));
    rest_.remove_prefix(count);
  }
  std::string_view take_piece(std::size_t count) {
    const std::string_view piece = rest_.substr(0, count);
    remove(count);
    return piece;
  }
  std::string_view quoted();
  std::string_view html();
  std::string_view number_or_word();

  std::string_view rest_, name_;
  std::deque<std::string>& kept_;
  std::size_t line_ = 1;
  bool at_line_start_ = true;
};

void Scanner::skip_blanks() {
  for (;;) {
    const std::size_t first = std::min(rest_.find_first_not_of(" \t\r\n\v\f"), rest_.size());
    at_line_start_ |= rest_.substr(0, first).find('\n') != std::string_view::npos;
    remove(first);
    if (rest_.starts_with("//") || (at_line_start_ && rest_.starts_with('#'))) {
      remove(std::min(rest_.find('\n'), rest_.size()));
    } else if (rest_.starts_with("/*")) {
      const std::size_t end = rest_.find("*/", 2);
      if (end == std::string_view::npos) fail("a comment begins here and does not end");
      remove(end + 2);
    } else {
      return;
    }
  }
}

/// After the opening quote. A backslash keeps its meaning for the drawing program, except before a
/// quote or a line end.
std::string_view Scanner::quoted() {
  const std::size_t begin_line = line_;
  std::size_t end = rest_.find_first_of("\"\\");
  if (end != std::string_view::npos && rest_[end] == '"') {
    const std::string_view text = take_piece(end);
    rest_.remove_prefix(1);
    return text;
  }
  std::string text;
  for (;;) {
    end = rest_.find_first_of("\"\\");
    if (end == std::string_view::npos) {
      fail_at(name_, begin_line,
              "a quoted text begins here and does not end; check that the file is complete");
    }
    text += take_piece(end);
    if (rest_.front() == '"') break;
    if (rest_.starts_with("\\\"")) {
      text += '"';
      remove(2);
    } else if (rest_.starts_with("\\\n")) {
      remove(2);
    } else if (rest_.starts_with("\\\r\n")) {
      remove(3);
    } else {
      text += take_piece(std::min<std::size_t>(rest_.starts_with("\\\\") ? 2 : 1, rest_.size()));
    }
  }
  rest_.remove_prefix(1);
  return kept_.emplace_back(std::move(text));
}

/// `<...>` with balanced brackets, including the outer ones.
std::string_view Scanner::html() {
  std::size_t depth = 0;
  for (std::size_t at = rest_.find_first_of("<>"); at != std::string_view::npos;
       at = rest_.find_first_of("<>", at + 1)) {
    if (rest_[at] == '<') {
      ++depth;
    } else if (--depth == 0) {
      return take_piece(at + 1);
    }
  }
  fail("an HTML text begins here and does not end; check that the file is complete");
}

std::string_view Scanner::number_or_word() {
  std::size_t length = 0;
  if (is_letter(rest_.front())) {
    while (length < rest_.size() && (is_letter(rest_[length]) || is_digit(rest_[length]))) ++length;
    return take_piece(length);
  }
  const auto digits = [&] {
    const std::size_t before = length;
    while (length < rest_.size() && is_digit(rest_[length])) ++length;
    return length != before;
  };
  if (rest_.front() == '-') ++length;
  bool has_digits = digits();
  if (length < rest_.size() && rest_[length] == '.') {
    ++length;
    has_digits |= digits();
  }
  if (!has_digits) {
    fail(fmt::format("'{}' is not part of the dot language",
                     excerpt(rest_.substr(0, std::min<std::size_t>(rest_.find('\n'), 20)))));
  }
  return take_piece(length);
}

Token Scanner::next() {
  skip_blanks();
  at_line_start_ = false;
  if (rest_.empty()) return {};
  const auto mark = [this](Mark which, std::size_t length = 1) {
    return Token{which, take_piece(length)};
  };
  switch (rest_.front()) {
    case '{':
      return mark(Mark::open_brace);
    case '}':
      return mark(Mark::close_brace);
    case '[':
      return mark(Mark::open_bracket);
    case ']':
      return mark(Mark::close_bracket);
    case ';':
      return mark(Mark::semicolon);
    case ',':
      return mark(Mark::comma);
    case '=':
      return mark(Mark::equals);
    case ':':
      return mark(Mark::colon);
    case '+':
      return mark(Mark::plus);
    case '"':
      rest_.remove_prefix(1);
      return {Mark::identifier, quoted(), true};
    case '<':
      return {Mark::identifier, html(), true};
    default:
      break;
  }
  if (rest_.starts_with("->")) return mark(Mark::arrow, 2);
  if (rest_.starts_with("--")) return mark(Mark::line, 2);
  return {Mark::identifier, number_or_word()};
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view name) : scanner_(text, name, graph_.kept) {
    advance();
  }

  DotGraph run();

 private:
  void read_statement();
  void read_subgraph();
  void close_subgraph();
  void read_defaults();
  void read_nodes_or_edges();
  std::uint32_t read_node();
  std::vector<DotField> read_attributes();
  Token take_identifier(std::string_view what);
  bool take_mark(Mark mark) {
    if (token_.mark != mark) return false;
    advance();
    return true;
  }
  void advance() {
    line_ = scanner_.line();
    token_ = scanner_.next();
    line_ = scanner_.line();
  }
  [[noreturn]] void fail_expecting(std::string_view what) const;

  DotGraph graph_;
  Scanner scanner_;
  Token token_;
  std::size_t line_ = 1;
  std::vector<std::uint32_t> open_;  // defaults of edges outside each open brace
  std::uint32_t defaults_ = 0;
  std::unordered_map<std::string_view, std::uint32_t> node_by_name_;
};

void Parser::fail_expecting(std::string_view what) const {
  if (token_.mark == Mark::end) {
    scanner_.fail(fmt::format(
        "the file ends here, but {} was expected; check that the file is complete", what));
  }
  scanner_.fail(fmt::format("'{}': {} was expected", excerpt(token_.text), what));
}

/// Parts joined by '+' form one identifier.
Token Parser::take_identifier(std::string_view what) {
  if (token_.mark != Mark::identifier) fail_expecting(what);
  Token result = token_;
  advance();
  if (!result.is_quoted || token_.mark != Mark::plus) return result;
  std::string joined(result.text);
  while (take_mark(Mark::plus)) {
    if (token_.mark != Mark::identifier || !token_.is_quoted) fail_expecting("a quoted text");
    joined += token_.text;
    advance();
  }
  result.text = graph_.kept.emplace_back(std::move(joined));
  return result;
}

/// Any number of `[name=value, ...]`.
std::vector<DotField> Parser::read_attributes() {
  std::vector<DotField> fields;
  while (take_mark(Mark::open_bracket)) {
    while (!take_mark(Mark::close_bracket)) {
      DotField field{take_identifier("an attribute or ']'").text, "true"};
      if (take_mark(Mark::equals)) field.value = take_identifier("the value of the attribute").text;
      fields.push_back(field);
      if (!take_mark(Mark::comma)) take_mark(Mark::semicolon);
    }
  }
  return fields;
}

void Parser::read_defaults() {
  const bool of_edges = is_keyword(token_, "edge");
  advance();
  if (token_.mark != Mark::open_bracket) fail_expecting("'['");
  const std::vector<DotField> fields = read_attributes();
  if (!of_edges || fields.empty()) return;
  std::vector<DotField> all = graph_.edge_defaults[defaults_];
  all.insert(all.end(), fields.begin(), fields.end());
  if (all.size() > max_defaults || graph_.edge_defaults.size() > max_default_statements)
    scanner_.fail("too many attributes are stated for all edges; state them for each edge");
  defaults_ = static_cast<std::uint32_t>(graph_.edge_defaults.size());
  graph_.edge_defaults.push_back(std::move(all));
}

void Parser::read_subgraph() {
  if (is_keyword(token_, "subgraph")) {
    advance();
    if (token_.mark == Mark::identifier) take_identifier("a name");
  }
  if (!take_mark(Mark::open_brace)) fail_expecting("'{'");
  if (open_.size() >= max_depth)
    scanner_.fail(fmt::format("more than {} levels of subgraphs", max_depth));
  open_.push_back(defaults_);
}

void Parser::close_subgraph() {
  defaults_ = open_.back();
  open_.pop_back();
  if (token_.mark == Mark::arrow || token_.mark == Mark::line) {
    scanner_.fail("an edge from a subgraph: write an edge for each of its nodes");
  }
}

std::uint32_t Parser::read_node() {
  const std::size_t line = line_;
  const Token name = take_identifier("a node");
  for (unsigned ports = 0; ports < 2 && take_mark(Mark::colon); ++ports)
    take_identifier("the port of a node");
  const auto [node, is_new] =
      node_by_name_.try_emplace(name.text, static_cast<std::uint32_t>(graph_.nodes.size()));
  if (is_new) graph_.nodes.push_back({name.text, line, {}});
  return node->second;
}

/// `a`, `a -> b -> c`, with attributes, or `name=value` of the graph itself.
void Parser::read_nodes_or_edges() {
  const std::size_t first_edge = graph_.edges.size();
  const std::size_t line = line_;
  const std::uint32_t first = read_node();
  if (token_.mark == Mark::equals) scanner_.fail("an attribute was expected, as name=value");
  std::uint32_t tail = first;
  const Mark joint = graph_.is_directed ? Mark::arrow : Mark::line;
  while (token_.mark == Mark::arrow || token_.mark == Mark::line) {
    if (token_.mark != joint) fail_expecting(graph_.is_directed ? "'->'" : "'--'");
    advance();
    if (token_.mark == Mark::open_brace || is_keyword(token_, "subgraph")) {
      scanner_.fail("an edge to a subgraph: write an edge for each of its nodes");
    }
    const std::uint32_t head = read_node();
    graph_.edges.push_back({.tail = tail, .head = head, .line = line, .defaults = defaults_});
    tail = head;
  }
  const std::vector<DotField> fields = read_attributes();
  const std::size_t edges = graph_.edges.size() - first_edge;
  if (edges == 0) {
    std::vector<DotField>& of_node = graph_.nodes[first].fields;
    of_node.insert(of_node.end(), fields.begin(), fields.end());
    return;
  }
  for (std::size_t e = first_edge; e < graph_.edges.size(); ++e) {
    DotGraph::Edge& edge = graph_.edges[e];
    edge.first_field = static_cast<std::uint32_t>(graph_.fields.size());
    edge.field_count = static_cast<std::uint32_t>(fields.size());
    edge.is_alone = edges == 1;
  }
  graph_.fields.insert(graph_.fields.end(), fields.begin(), fields.end());
}

void Parser::read_statement() {
  if (take_mark(Mark::semicolon)) return;
  if (take_mark(Mark::close_brace)) return close_subgraph();
  if (token_.mark == Mark::open_brace || is_keyword(token_, "subgraph")) return read_subgraph();
  if (is_keyword(token_, "node") || is_keyword(token_, "edge") || is_keyword(token_, "graph")) {
    return read_defaults();
  }
  // `name=value` requires the token after the name.
  Scanner ahead = scanner_;
  if (token_.mark == Mark::identifier && ahead.next().mark == Mark::equals) {
    take_identifier("an attribute");
    take_mark(Mark::equals);
    take_identifier("the value of the attribute");
    return;
  }
  read_nodes_or_edges();
}

DotGraph Parser::run() {
  graph_.edge_defaults.emplace_back();
  if (is_keyword(token_, "strict")) advance();
  graph_.is_directed = is_keyword(token_, "digraph");
  if (!graph_.is_directed && !is_keyword(token_, "graph")) fail_expecting("'digraph'");
  advance();
  if (token_.mark == Mark::identifier) take_identifier("a name");
  if (!take_mark(Mark::open_brace)) fail_expecting("'{'");
  open_.push_back(defaults_);
  while (!open_.empty()) {
    if (token_.mark == Mark::end) fail_expecting("'}'");
    read_statement();
  }
  if (token_.mark != Mark::end) fail_expecting("the end of the file");
  return std::move(graph_);
}

std::optional<std::string_view> last_of(const DotField* begin, const DotField* end,
                                        std::string_view attribute) {
  while (end != begin) {
    --end;
    if (end->name == attribute) return end->value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string_view> DotGraph::own(const Edge& edge, std::string_view attribute) const {
  const DotField* const begin = fields.data() + edge.first_field;
  return last_of(begin, begin + edge.field_count, attribute);
}

std::optional<std::string_view> DotGraph::value(const Edge& edge,
                                                std::string_view attribute) const {
  if (const auto found = own(edge, attribute)) return found;
  const std::vector<DotField>& defaults = edge_defaults[edge.defaults];
  return last_of(defaults.data(), defaults.data() + defaults.size(), attribute);
}

std::optional<std::string_view> DotGraph::value(const Node& node,
                                                std::string_view attribute) const {
  return last_of(node.fields.data(), node.fields.data() + node.fields.size(), attribute);
}

DotGraph parse_dot_graph(std::string_view text, std::string_view name) {
  while (text.ends_with('\0')) text.remove_suffix(1);
  // Uses the check for binary data of all text formats.
  const TextLines checked(text, name, describe_content);
  take(text, "\xEF\xBB\xBF");
  if (content_kind(text) != ContentKind::dot_graph) {
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format(
            "{}: this is not a graph: it looks like {}; expected a text that begins with digraph",
            name, describe_content(text, name)));
  }
  return Parser(text, name).run();
}

}  // namespace pssp
