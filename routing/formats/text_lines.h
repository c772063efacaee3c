#pragma once

// What the readers of line-oriented text share: lines with their numbers, errors that say where,
// and a few pieces of scanning.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pssp {

/// Walks over the lines of a text in memory. O(size) altogether, no copies.
class TextLines {
 public:
  /// No line of a known format comes near this; a longer one is refused as soon as its 65537th byte
  /// is seen.
  static constexpr std::size_t max_length = std::size_t{64} << 10;

  /// `name` stands for the file in messages. A UTF-8 byte order mark is skipped. Throws
  /// Error(unreadable_input) when the text has a NUL byte (binary data, UTF-16).
  TextLines(std::string_view text, std::string_view name);

  /// Moves to the next line; false at the end. Throws Error(unreadable_input) when it is longer
  /// than max_length.
  bool next();
  /// The line, without its line feed and carriage returns.
  std::string_view line() const noexcept { return line_; }
  /// Number of the line, from 1; 0 before the first.
  std::size_t number() const noexcept { return number_; }
  /// True when the text ends in a line feed or is empty.
  bool ends_with_line_feed() const noexcept { return text_.empty() || text_.back() == '\n'; }

  /// Throws Error(unreadable_input, "name:line: message") for the current line.
  [[noreturn]] void fail(std::string_view message) const;

 private:
  std::string_view text_, rest_, line_;
  std::string name_;
  std::size_t number_ = 0;
};

/// Throws Error(unreadable_input, "name:line: message").
[[noreturn]] void fail_at(std::string_view name, std::size_t line, std::string_view message);

/// Blanks and tabs. Bytes above 127 are none.
bool is_blank(char c) noexcept;
bool is_digit(char c) noexcept;
/// Without leading / without leading and trailing blanks.
std::string_view without_indent(std::string_view text) noexcept;
std::string_view trimmed(std::string_view text) noexcept;

/// Removes `prefix` from the front of `text` if it is there.
bool take(std::string_view& text, std::string_view prefix) noexcept;
/// Removes a number from the front of `text`; nothing where there is no digit, or the number
/// exceeds 64 bits.
std::optional<std::uint64_t> take_number(std::string_view& text, int base = 10) noexcept;
/// Likewise, decimal, or hexadecimal after "0x".
std::optional<std::uint64_t> take_c_number(std::string_view& text) noexcept;
/// Removes and returns the characters up to the next blank.
std::string_view take_word(std::string_view& text) noexcept;

/// What may be said of a text in a message: shortened, control characters replaced.
std::string shown(std::string_view text);

}  // namespace pssp
