#pragma once

// Shared by readers of line-oriented text: numbered lines, errors with locations, and scanning
// functions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"

namespace pssp {

/// Describes what a text seems to be from its beginning: "a gzip archive: unpack it first". This
/// folder knows no formats, so readers of formats provide the function.
using DescribeText = std::string (*)(std::string_view beginning);

/// Iterates over the lines of a text in memory or in a file. O(size) in total. Keeps 1 MiB of a
/// file in memory.
class TextLines {
 public:
  /// Lines of known formats are much shorter; a longer line is rejected at its 65537th byte.
  static constexpr std::size_t max_length = std::size_t{64} << 10;
  /// One byte more than a line can have, so that a reader of the beginning can detect more text.
  static constexpr std::size_t beginning_size = max_length + 1;

  /// `name` stands for the file in messages. A UTF-8 byte order mark is skipped. Throws
  /// Error(unreadable_input) if the text contains a NUL byte (binary data, UTF-16). The text must
  /// outlive the object. `describe` adds to that message what the text seems to be; null: nothing.
  TextLines(std::string_view text, std::string_view name, DescribeText describe = nullptr);
  /// The same for a file, but next() detects a NUL byte when it reads that part of the file. The
  /// file must outlive the object.
  TextLines(FileReader& file, std::string_view name, DescribeText describe = nullptr);
  TextLines(const TextLines&) = delete;
  TextLines& operator=(const TextLines&) = delete;

  /// Moves to the next line; returns false at the end. Throws Error(unreadable_input) if it exceeds
  /// max_length, or cannot be read.
  bool next();
  /// The line, without its line feed and carriage returns. For a file, valid until the next call of
  /// next().
  std::string_view line() const noexcept { return line_; }
  /// Number of the line, from 1; 0 before the first.
  std::size_t number() const noexcept { return number_; }
  /// Whether the text read so far ends in a line feed or is empty.
  bool ends_with_line_feed() const noexcept { return last_byte_ == '\n'; }
  /// The first beginning_size bytes of the text, or all of it, from which formats are recognized.
  std::string_view beginning() const noexcept { return beginning_; }

  /// Throws Error(unreadable_input, "name:line: message") for the current line.
  [[noreturn]] void fail(std::string_view message) const;

 private:
  void begin(std::string_view first_part);
  void check(std::string_view part, std::size_t offset) const;
  bool refill();

  std::string_view rest_, line_, beginning_;
  std::string name_;
  DescribeText describe_ = nullptr;
  std::size_t number_ = 0;
  char last_byte_ = '\n';
  FileReader* file_ = nullptr;  // null: none, or at its end
  std::vector<char> buffer_;
  std::size_t bytes_read_ = 0;
  std::string kept_beginning_;
};

/// Throws Error(unreadable_input, "name:line: message").
[[noreturn]] void fail_at(std::string_view name, std::size_t line, std::string_view message);

/// Runs the action; rethrows an Error with file and line.
template <class Action>
void at_line(std::string_view name, std::size_t line, const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    fail_at(name, line, error.what());
  }
}

/// Blanks and tabs, no bytes above 127.
bool is_blank(char c) noexcept;
bool is_digit(char c) noexcept;
/// Without leading / without leading and trailing blanks.
std::string_view without_indent(std::string_view text) noexcept;
std::string_view trimmed(std::string_view text) noexcept;
/// Converts ASCII letters to lower case; other bytes are unchanged.
std::string lower_case(std::string_view text);

/// Removes `prefix` from the front of `text` if it is there.
bool take(std::string_view& text, std::string_view prefix) noexcept;
/// Removes a number from the front of `text`; none if there is no digit, or if the number exceeds
/// 64 bits.
std::optional<std::uint64_t> take_number(std::string_view& text, int base = 10) noexcept;
/// Removes a decimal number, or a hexadecimal one after "0x", in the same way.
std::optional<std::uint64_t> take_c_number(std::string_view& text) noexcept;
/// The whole text as a nonnegative decimal fraction; no exponent, "inf", "nan" or blanks.
std::optional<double> decimal_fraction(std::string_view text) noexcept;
/// Removes and returns the characters up to the next blank.
std::string_view take_word(std::string_view& text) noexcept;

}  // namespace pssp
