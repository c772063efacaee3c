#pragma once

// The sections of ibdiagnet's database (ibdiagnet2.db_csv): START_NODES, a line with the names of
// the columns, one line per node, END_NODES. Columns are found by name, because their number grows
// with each version of ibdiagnet.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_lines.h"
#include "fabric/fabric.h"

namespace pssp {

/// Iterates over the rows of some sections and skips all others. O(size) in total.
///
/// The description of a node (column NodeDesc) is everything between the columns before and after
/// it, including commas, quotes, and line feeds that ibdiagnet did not remove.
class IbdiagnetSections {
 public:
  /// `sections`: names without START_. `name` stands for the file in messages. The text must
  /// outlive the object. Throws Error(unreadable_input) if the text contains a NUL byte.
  IbdiagnetSections(std::string_view text, std::string_view name,
                    std::initializer_list<std::string_view> sections);

  /// Moves to the next row of one of the sections; returns false at the end. Throws
  /// Error(unreadable_input) with file:line for a row with a wrong number of fields, a repeated or
  /// incomplete section, and text between sections.
  bool next();

  /// Of the current row; without START_.
  std::string_view section() const noexcept { return section_; }
  /// Line where the current row begins, from 1.
  std::size_t line() const noexcept { return row_line_; }
  /// Ignores the case of column names: NodeGUID and NodeGuid are equal.
  bool has_column(std::string_view column) const { return columns_.contains(column); }
  /// Without surrounding blanks and quotes; none if there is no such column. Valid until next().
  std::optional<std::string_view> field(std::string_view column) const;
  /// None if there is no such column, or if the field is empty, "N/A" or "-1", which mark missing
  /// values; fails if it is neither a decimal number nor a hexadecimal one with "0x".
  std::optional<std::uint64_t> number(std::string_view column) const;
  /// The same, but fails if there is no number, or if it exceeds `most`.
  std::uint64_t number_up_to(std::string_view column, std::uint64_t most) const;
  /// A hexadecimal number with or without "0x"; none if it is 0 or missing as in number(); else
  /// fails.
  std::optional<Guid> guid_if_stated(std::string_view column) const;
  /// The same, but fails if it is missing.
  Guid guid(std::string_view column) const;

  /// Whether the part read so far contains the section.
  bool has_section(std::string_view section) const { return begun_.contains(section); }

  /// Throws Error(unreadable_input, "name:line: message") for the current row.
  [[noreturn]] void fail(std::string_view message) const;

 private:
  /// Ignores the case of Latin letters.
  struct BeforeInAnyCase {
    using is_transparent = void;
    bool operator()(std::string_view a, std::string_view b) const noexcept;
  };

  void begin_section(std::string_view section);
  void read_columns();
  bool split_row();
  [[noreturn]] void fail_guid(std::string_view column) const;

  TextLines lines_;
  std::string name_;
  std::vector<std::string> wanted_;
  std::map<std::string, std::size_t, std::less<>> begun_;  // line of each requested section
  std::string section_;                                    // current section; empty: none
  bool is_wanted_ = false, has_begun_ = false;
  std::size_t stray_line_ = 0;  // first text after a section; 0: none
  std::map<std::string, std::size_t, BeforeInAnyCase> columns_;
  std::size_t column_count_ = 0;
  std::optional<std::size_t> free_text_;  // index of the column NodeDesc
  std::string row_;
  std::vector<std::string_view> fields_;  // of row_
  std::size_t row_line_ = 0;
};

}  // namespace pssp
