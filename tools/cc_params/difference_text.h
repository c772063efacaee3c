#pragma once

// What `cc_params diff` answers.

#include <string>
#include <vector>

#include "congestion/difference.h"

namespace pssp {

/// A line for each difference. Many entries of a table become one line, unless all are wanted.
std::string difference_text(const std::vector<ParameterDifference>& found, bool all_entries);

/// An array with an object for each difference.
std::string difference_json(const std::vector<ParameterDifference>& found);

}  // namespace pssp
