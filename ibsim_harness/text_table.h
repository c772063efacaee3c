#pragma once

// Rows of cells as a table: the first column to the left, the others to the right.

#include <span>
#include <string>
#include <vector>

namespace pssp {

using TableRow = std::vector<std::string>;

/// A row with fewer cells than the first says something in words: its second cell is not cut to a
/// column. Lines end in line feeds.
std::string text_table(std::span<const TableRow> rows);

/// The same number in figures of a table: rounded to that many decimals, without zeros at the end.
std::string rounded_text(double value, int decimals);

}  // namespace pssp
