#pragma once

// A table that is printed as text, CSV or JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pssp {

/// monostate: unknown. Texts are untrusted, and are escaped when they are printed.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double>;

struct TableColumn {
  std::string name;  ///< in CSV and JSON; in text with blanks for underscores
  int decimals = 0;  ///< of real numbers, in text
};

struct Table {
  std::vector<TableColumn> columns;
  std::vector<std::vector<Cell>> rows;
};

std::string table_text(const Table& table);
std::string table_csv(const Table& table);
/// An array of objects; unknown values are null.
std::string table_json(const Table& table);

}  // namespace pssp
