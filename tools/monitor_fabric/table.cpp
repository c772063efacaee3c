#include "tools/monitor_fabric/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/foreign_text.h"
#include "base/json_text.h"

namespace pssp {
namespace {

std::string cell_text(const Cell& cell, int decimals) {
  if (const auto* text = std::get_if<std::string>(&cell)) return foreign_text(*text);
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
  if (const auto* text = std::get_if<std::string>(&cell)) return foreign_text(*text);
  if (const auto* number = std::get_if<std::int64_t>(&cell)) return *number;
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  return nullptr;
}

bool is_text(const Table& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const std::vector<Cell>& row) {
    return std::holds_alternative<std::string>(row[column]);
  });
}

/// What a terminal takes for one place: bytes of UTF-8 that begin a character.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

void append_padded(std::string& line, const std::string& text, std::size_t width, bool left) {
  const std::string padding(width - std::min(width, width_of(text)), ' ');
  if (!line.empty()) line += "  ";
  line += left ? text + padding : padding + text;
}

}  // namespace

std::string table_text(const Table& table) {
  std::vector<std::vector<std::string>> texts(1);
  for (const TableColumn& column : table.columns) {
    std::string head = column.name;
    std::replace(head.begin(), head.end(), '_', ' ');
    texts.front().push_back(std::move(head));
  }
  for (const std::vector<Cell>& row : table.rows) {
    std::vector<std::string>& to = texts.emplace_back();
    for (std::size_t c = 0; c < row.size(); ++c) {
      to.push_back(cell_text(row[c], table.columns[c].decimals));
    }
  }
  std::string text;
  std::vector<std::size_t> widths(table.columns.size());
  for (const auto& row : texts) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], width_of(row[c]));
  }
  for (const auto& row : texts) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      append_padded(line, row[c], widths[c], is_text(table, c));
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    text += line + "\n";
  }
  return text;
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
