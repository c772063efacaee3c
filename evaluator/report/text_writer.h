#pragma once

// The format of text reports: headlines, rows of a name and a value, lines, tables.

#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/text_table.h"

namespace pssp {

class TextWriter {
 public:
  /// A headline, with an empty line above unless it is the first.
  void section(std::string_view title) {
    fmt::format_to(std::back_inserter(text_), "{}{}\n", text_.empty() ? "" : "\n", title);
  }
  /// "  name    value".
  void row(std::string_view name, std::string_view value) {
    fmt::format_to(std::back_inserter(text_), "  {:<20} {}\n", name, value);
  }
  void line(std::string_view text) { fmt::format_to(std::back_inserter(text_), "  {}\n", text); }
  void table(std::span<const TableRow> rows, const TableLayout& layout) {
    text_ += text_table(rows, layout);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace pssp
