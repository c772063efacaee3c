#pragma once

// Rows of a CSV file (RFC 4180): fields between commas, quotes around what has commas, quotes or
// line ends in it.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// Walks over the rows of a text in memory, which must outlive the object. O(size) altogether.
/// Line ends are LF, CR or both; a byte order mark is skipped; lines without a character are no
/// rows.
class CsvRows {
 public:
  /// No list comes near these; what is beyond is refused.
  static constexpr std::size_t most_fields = 1024;
  static constexpr std::size_t longest_field = std::size_t{64} << 10;

  /// `name` stands for the file in messages. Throws Error(unreadable_input) where the text has a
  /// NUL byte.
  CsvRows(std::string_view text, std::string_view name);

  /// Moves to the next row; false at the end. Throws Error(unreadable_input), "name:line: ..", on a
  /// quote that does not end, on text behind a closing quote, and beyond the limits.
  bool next();
  /// Of the current row, at least one, without the quotes around them; valid until next().
  std::span<const std::string> fields() const noexcept { return fields_; }
  /// On which line the current row begins, from 1.
  std::size_t line() const noexcept { return row_line_; }

  /// Throws Error(unreadable_input, "name:line: message") for the current row.
  [[noreturn]] void fail(std::string_view message) const;

 private:
  bool at_line_end() const noexcept;
  void skip_line_end() noexcept;
  std::string take_quoted();
  std::string take_plain();

  std::string_view rest_;
  std::string name_;
  std::vector<std::string> fields_;
  std::size_t line_ = 1, row_line_ = 0;
};

/// The text as a field: between quotes where it has to be, with its quotes doubled. It changes
/// nothing, so that CsvRows gives the same text back.
std::string csv_field(std::string_view text);

/// The same for a spreadsheet, of a text that commands no terminal: an apostrophe stands before
/// what it would take for a formula (= + - @ at the beginning).
std::string spreadsheet_csv_field(std::string text);

}  // namespace pssp
