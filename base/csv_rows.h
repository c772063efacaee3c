#pragma once

// Rows of a CSV file (RFC 4180): fields separated by commas, quoted if they contain commas, quotes
// or line ends.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// Iterates over the rows of a text in memory, which must outlive the object. O(size) in total.
/// Line ends are LF, CR or both; a byte order mark and empty lines are skipped.
class CsvRows {
 public:
  /// Limits that real files never reach.
  static constexpr std::size_t most_fields = 1024;
  static constexpr std::size_t longest_field = std::size_t{64} << 10;

  /// `name` stands for the file in messages. Throws Error(unreadable_input) if the text contains a
  /// NUL byte.
  CsvRows(std::string_view text, std::string_view name);

  /// Moves to the next row; returns false at the end. Throws Error(unreadable_input), "name:line:
  /// ..", for an unclosed quote, text after a closing quote, and exceeded limits.
  bool next();
  /// Fields of the current row, at least one, without quotes; valid until next().
  std::span<const std::string> fields() const noexcept { return fields_; }
  /// Line where the current row begins, from 1.
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

/// The text as a field, quoted if necessary. CsvRows gives the same text back.
std::string csv_field(std::string_view text);

/// The same for a spreadsheet, for text without control characters: an apostrophe precedes texts
/// that would be a formula (= + - @ at the beginning).
std::string spreadsheet_csv_field(std::string text);

}  // namespace pssp
