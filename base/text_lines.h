#pragma once

// What the readers of line-oriented text share: lines with their numbers, errors that say where,
// and a few pieces of scanning.

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

/// Says what a text seems to be, from its beginning: "a gzip archive: unpack it first". This folder
/// knows no formats, so whoever reads a format hands over what knows them.
using DescribeText = std::string (*)(std::string_view beginning);

/// Walks over the lines of a text, in memory or in a file. O(size) altogether. Of a file, 1 MiB is
/// in memory at a time.
class TextLines {
 public:
  /// No line of a known format comes near this; a longer one is refused as soon as its 65537th byte
  /// is seen.
  static constexpr std::size_t max_length = std::size_t{64} << 10;
  /// One byte more than a line can have, so that a reader of the beginning sees that there is more.
  static constexpr std::size_t beginning_size = max_length + 1;

  /// `name` stands for the file in messages. A UTF-8 byte order mark is skipped. Throws
  /// Error(unreadable_input) when the text has a NUL byte (binary data, UTF-16). The text must
  /// outlive the object. `describe` says in that message what the text seems to be; null: nothing.
  TextLines(std::string_view text, std::string_view name, DescribeText describe = nullptr);
  /// The same of a file, but a NUL byte is noticed when its part of the file is read, by next().
  /// The file must outlive the object.
  TextLines(FileReader& file, std::string_view name, DescribeText describe = nullptr);
  TextLines(const TextLines&) = delete;
  TextLines& operator=(const TextLines&) = delete;

  /// Moves to the next line; false at the end. Throws Error(unreadable_input) when it is longer
  /// than max_length, or cannot be read.
  bool next();
  /// The line, without its line feed and carriage returns. Of a file, valid until next() moves to
  /// another one.
  std::string_view line() const noexcept { return line_; }
  /// Number of the line, from 1; 0 before the first.
  std::size_t number() const noexcept { return number_; }
  /// True when what was read so far ends in a line feed or is empty; of the whole text at its end.
  bool ends_with_line_feed() const noexcept { return last_byte_ == '\n'; }
  /// The first beginning_size bytes of the text, or all there are: what tells its kind.
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
  FileReader* file_ = nullptr;  // none, or at its end: null
  std::vector<char> buffer_;
  std::size_t bytes_read_ = 0;
  std::string kept_beginning_;
};

/// Throws Error(unreadable_input, "name:line: message").
[[noreturn]] void fail_at(std::string_view name, std::size_t line, std::string_view message);

/// Runs the action; an Error that it throws is thrown again with file and line.
template <class Action>
void at_line(std::string_view name, std::size_t line, const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    fail_at(name, line, error.what());
  }
}

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
/// Removes a decimal number, or a hexadecimal one after "0x", in the same way.
std::optional<std::uint64_t> take_c_number(std::string_view& text) noexcept;
/// The whole text as a decimal fraction that is not negative; no exponent, no "inf", no "nan", no
/// blanks.
std::optional<double> decimal_fraction(std::string_view text) noexcept;
/// Removes and returns the characters up to the next blank.
std::string_view take_word(std::string_view& text) noexcept;

}  // namespace pssp
