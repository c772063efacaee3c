#include "base/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pssp {
namespace {

/// The width in a terminal: the number of bytes that begin a UTF-8 character.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

/// Number of the row's cells in columns.
std::size_t cut_cells(const TableRow& row, std::size_t columns) {
  return row.size() >= columns ? row.size() : std::min<std::size_t>(1, row.size());
}

std::vector<std::size_t> column_widths(std::span<const TableRow> rows) {
  const std::size_t columns = rows.empty() ? 0 : rows.front().size();
  std::vector<std::size_t> widths(columns, 0);
  for (const TableRow& row : rows) {
    widths.resize(std::max(widths.size(), cut_cells(row, columns)));
    for (std::size_t i = 0; i < cut_cells(row, columns); ++i) {
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  }
  return widths;
}

}  // namespace

std::string text_table(std::span<const TableRow> rows, const TableLayout& layout) {
  const std::vector<std::size_t> widths = column_widths(rows);
  std::string text;
  for (const TableRow& row : rows) {
    std::string line(layout.indent, ' ');
    const std::size_t cut = cut_cells(row, rows.front().size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i != 0) line += "  ";
      const std::string padding(i < cut ? widths[i] - width_of(row[i]) : 0, ' ');
      const bool is_left = i < layout.flush_left.size() ? layout.flush_left[i] : i == 0;
      line += is_left ? row[i] + padding : padding + row[i];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string rounded_text(double value, int decimals) {
  const double unit = std::pow(10, decimals);
  return fmt::format("{}", std::round(value * unit) / unit);
}

}  // namespace pssp
