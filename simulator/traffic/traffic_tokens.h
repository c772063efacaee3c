#pragma once

// The words of a statement of a traffic file.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// A word; in double quotes, it is always a name. "->", and inside braces "{", "}" and ",", are
/// separate words.
struct TrafficWord {
  std::string text;
  bool quoted = false;

  bool is(std::string_view keyword) const noexcept { return !quoted && text == keyword; }
};

/// Takes the words of one statement one after the other.
class TrafficTokens {
 public:
  explicit TrafficTokens(std::vector<TrafficWord> tokens) : tokens_(std::move(tokens)) {}

  bool empty() const noexcept { return next_ == tokens_.size(); }
  /// Null at the end.
  const TrafficWord* peek() const noexcept { return empty() ? nullptr : &tokens_[next_]; }
  /// Throws Error(usage) at the end, naming the missing word.
  const TrafficWord& take(std::string_view what);
  /// Takes the next word if it is this keyword.
  bool take_keyword(std::string_view keyword) noexcept;
  /// Throws Error(usage) unless the next word is this keyword.
  void expect(std::string_view keyword);

 private:
  std::vector<TrafficWord> tokens_;
  std::size_t next_ = 0;
};

/// The nonempty statements of a line, separated by semicolons. A '#' outside quotes begins a
/// comment. Throws Error(usage) for unclosed quotes or braces.
std::vector<TrafficTokens> split_statements(std::string_view line);

}  // namespace pssp
