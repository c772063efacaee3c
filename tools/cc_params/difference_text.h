#pragma once

// The output of `cc_params diff`.

#include <string>
#include <vector>

#include "congestion/difference.h"

namespace pssp {

/// One line per difference. Many entries of a table become one line, unless all are requested.
std::string difference_text(const std::vector<ParameterDifference>& found, bool all_entries);

/// An array with one object per difference.
std::string difference_json(const std::vector<ParameterDifference>& found);

}  // namespace pssp
