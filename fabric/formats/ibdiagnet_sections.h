#pragma once

// The sections of ibdiagnet's database (ibdiagnet2.db_csv): START_NODES, a line with the names of
// the columns, a line for each node, END_NODES. Columns are found by name, because each version of
// ibdiagnet has more of them.

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

/// Walks over the rows of some sections and skips all others. O(size) altogether.
///
/// The description of a node (column NodeDesc) reaches from the columns before it to the columns
/// behind it, whatever is in it: commas, quotes, and line feeds of which ibdiagnet cleaned none.
class IbdiagnetSections {
 public:
  /// `sections`: names without START_. `name` stands for the file in messages. The text must
  /// outlive the object. Throws Error(unreadable_input) where the text has a NUL byte.
  IbdiagnetSections(std::string_view text, std::string_view name,
                    std::initializer_list<std::string_view> sections);

  /// Moves to the next row of one of the sections; false at the end. Throws Error(unreadable_input)
  /// with file:line on a row that has not as many fields as the section has columns, a section
  /// that occurs twice, does not begin or does not end, and text between sections.
  bool next();

  /// Of the current row; without START_.
  std::string_view section() const noexcept { return section_; }
  /// On which line the current row begins, from 1.
  std::size_t line() const noexcept { return row_line_; }
  /// Letters of any size name a column: NodeGUID and NodeGuid are one.
  bool has_column(std::string_view column) const { return columns_.contains(column); }
  /// Without blanks at both ends and without the quotes around it; nothing where there is no such
  /// column. Valid until next().
  std::optional<std::string_view> field(std::string_view column) const;
  /// Nothing where there is no such column, or the field is empty, "N/A" or "-1", which stand for
  /// what a node does not have; anything else that is no decimal number or hexadecimal one after
  /// "0x" fails.
  std::optional<std::uint64_t> number(std::string_view column) const;
  /// The same, and what has no number or a larger one than `most` fails.
  std::uint64_t number_up_to(std::string_view column, std::uint64_t most) const;
  /// A hexadecimal number with "0x" or without; nothing where it is 0, or there is none as in
  /// number(); anything else fails.
  std::optional<Guid> guid_if_stated(std::string_view column) const;
  /// The same, and none fails.
  Guid guid(std::string_view column) const;

  /// True if the file has the section, as far as it was read.
  bool has_section(std::string_view section) const { return begun_.contains(section); }

  /// Throws Error(unreadable_input, "name:line: message") for the current row.
  [[noreturn]] void fail(std::string_view message) const;

 private:
  /// Order of Latin letters of any size.
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
  std::map<std::string, std::size_t, std::less<>> begun_;  // line of each wanted section
  std::string section_;                                    // that is open; empty: none
  bool is_wanted_ = false, has_begun_ = false;
  std::size_t stray_line_ = 0;  // the first with text below a section; 0: none
  std::map<std::string, std::size_t, BeforeInAnyCase> columns_;
  std::size_t column_count_ = 0;
  std::optional<std::size_t> free_text_;  // index of the column NodeDesc
  std::string row_;
  std::vector<std::string_view> fields_;  // of row_
  std::size_t row_line_ = 0;
};

}  // namespace pssp
