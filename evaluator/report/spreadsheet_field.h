#pragma once

// Text in comma-separated values (RFC 4180) that people open in a spreadsheet.

#include <string>
#include <string_view>

#include "base/csv_rows.h"
#include "base/printable.h"

namespace pssp {

/// A name or description as one field. Nothing in it commands a terminal, nor a spreadsheet
/// (spreadsheet_csv_field()).
inline std::string spreadsheet_field(std::string_view name) {
  return spreadsheet_csv_field(printable(name));
}

}  // namespace pssp
