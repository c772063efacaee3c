#pragma once

// Several forwarding tables of one fabric side by side, in one table.

#include <string>
#include <string_view>

#include "evaluator/scoring/comparison.h"

namespace pssp {

/// A line for each of the tables, with a line end. Wide: the columns are as wide as the names.
std::string to_text(const Comparison& comparison);
/// RFC 4180, with line feeds alone; what has no value is empty.
std::string to_csv(const Comparison& comparison);

/// "better", "no difference shown": as the text and CSV and JSON have it.
std::string_view word_for(PairedVerdict verdict);

}  // namespace pssp
