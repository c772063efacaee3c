#pragma once

// Text in comma-separated values (RFC 4180) for spreadsheets.

#include <string>
#include <string_view>

#include "base/csv_rows.h"
#include "base/printable.h"

namespace pssp {

/// A name or description as one field that cannot contain commands for a terminal or a spreadsheet
/// (spreadsheet_csv_field()).
inline std::string spreadsheet_field(std::string_view name) {
  return spreadsheet_csv_field(printable(name));
}

}  // namespace pssp
