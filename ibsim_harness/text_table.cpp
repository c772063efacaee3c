#include "ibsim_harness/text_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pssp {
namespace {

std::vector<std::size_t> column_widths(std::span<const TableRow> rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const TableRow& row : rows) {
    const std::size_t cells =
        row.size() == widths.size() ? row.size() : std::min<std::size_t>(1, row.size());
    for (std::size_t i = 0; i < cells; ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  return widths;
}

}  // namespace

std::string text_table(std::span<const TableRow> rows) {
  if (rows.empty() || rows.front().empty()) return {};
  const std::vector<std::size_t> widths = column_widths(rows);
  std::string text;
  for (const TableRow& row : rows) {
    text += fmt::format("{:<{}}", row.front(), widths.front());
    for (std::size_t i = 1; i < row.size(); ++i)
      text += fmt::format("  {:>{}}", row[i], row.size() == widths.size() ? widths[i] : 0);
    text += '\n';
  }
  return text;
}

std::string rounded_text(double value, int decimals) {
  const double unit = std::pow(10, decimals);
  return fmt::format("{}", std::round(value * unit) / unit);
}

}  // namespace pssp
