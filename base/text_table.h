#pragma once

// Rows of cells as a text table.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pssp {

using TableRow = std::vector<std::string>;

struct TableLayout {
  std::size_t indent = 0;          ///< blanks before each line
  std::vector<bool> flush_left{};  ///< by column; missing elements: only the first column
};

/// Columns are as wide as their widest cell, counted in UTF-8 characters, and separated by two
/// blanks; lines have no trailing blanks and end in a line feed. In a row with fewer cells than the
/// first row, the cells after the first are free text without columns.
std::string text_table(std::span<const TableRow> rows, const TableLayout& layout = {});

/// A number for a table: rounded to this many decimals, without trailing zeros.
std::string rounded_text(double value, int decimals);

}  // namespace pssp
