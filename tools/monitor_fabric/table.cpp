#include "tools/monitor_fabric/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_text.h"
#include "base/text_table.h"
#include "base/untrusted_text.h"

namespace pssp {
namespace {

std::string cell_text(const Cell& cell, int decimals) {
  if (const auto* text = std::get_if<std::string>(&cell)) return untrusted_text(*text);
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *number);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{:.{}f}", *real, decimals);
  return "-";
}

std::string cell_csv(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return csv_text(*text);
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return fmt::format("{}", *number);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real);
  return "";
}

nlohmann::ordered_json cell_json(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return untrusted_text(*text);
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return *number;
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  return nullptr;
}

bool is_text(const Table& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const std::vector<Cell>& row) {
    return std::holds_alternative<std::string>(row[column]);
  });
}

}  // namespace

std::string table_text(const Table& table) {
  std::vector<TableRow> rows(1);
  TableLayout layout;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::string head = table.columns[c].name;
    std::replace(head.begin(), head.end(), '_', ' ');
    rows.front().push_back(std::move(head));
    layout.flush_left.push_back(is_text(table, c));
  }
  for (const std::vector<Cell>& row : table.rows) {
    TableRow& to = rows.emplace_back();
    for (std::size_t c = 0; c < row.size(); ++c) {
      to.push_back(cell_text(row[c], table.columns[c].decimals));
    }
  }
  return text_table(rows, layout);
}

std::string table_csv(const Table& table) {
  std::string text;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    text += (c == 0 ? "" : ",") + table.columns[c].name;
  }
  text += "\n";
  for (const std::vector<Cell>& row : table.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) text += (c == 0 ? "" : ",") + cell_csv(row[c]);
    text += "\n";
  }
  return text;
}

std::string table_json(const Table& table) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const std::vector<Cell>& row : table.rows) {
    nlohmann::ordered_json object;
    for (std::size_t c = 0; c < row.size(); ++c) object[table.columns[c].name] = cell_json(row[c]);
    all.push_back(std::move(object));
  }
  return dump_json(all);
}

}  // namespace pssp
