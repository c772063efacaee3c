#pragma once

// Several forwarding tables of one fabric side by side, in one table.

#include <string>
#include <string_view>

#include "evaluator/scoring/comparison.h"

namespace pssp {

/// One line per set of tables, each with a line end. Columns are as wide as the names require.
std::string to_text(const Comparison& comparison);
/// RFC 4180 with line feeds; undefined values are empty.
std::string to_csv(const Comparison& comparison);

/// "better", "no difference shown": used in text, CSV and JSON.
std::string_view word_for(PairedVerdict verdict);

}  // namespace pssp
