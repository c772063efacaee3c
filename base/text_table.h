#pragma once

// Rows of cells as a table for people.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pssp {

using TableRow = std::vector<std::string>;

struct TableLayout {
  std::size_t indent = 0;          ///< blanks before each line
  std::vector<bool> flush_left{};  ///< by column; of columns that are not in it, the first one
};

/// Columns are as wide as their widest cell, counted in characters of UTF-8, with two blanks
/// between them; no line ends in blanks, each ends in a line feed. A row with fewer cells than the
/// first says something in words: what stands behind its first cell is not cut to columns.
std::string text_table(std::span<const TableRow> rows, const TableLayout& layout = {});

/// The same number in figures of a table: rounded to that many decimals, without zeros at the end.
std::string rounded_text(double value, int decimals);

}  // namespace pssp
