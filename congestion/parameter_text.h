#pragma once

// A parameter set in the notation of parameter files.

#include <string>
#include <vector>

#include "congestion/parameters.h"

namespace pssp {

/// One setting in the notation, with an explanation of its value if needed.
struct ParameterLine {
  std::string name, value;
  std::string remark;  ///< without '#'; may be empty
};

/// All settings of the set: of the switches, of the adapters (for all service levels, then for
/// levels that differ from service level 0), and of the table.
std::vector<ParameterLine> parameter_lines(const CongestionParameters& parameters);

/// The complete notation: parse_congestion_parameters() turns it back into an equal set.
std::string congestion_parameters_text(const CongestionParameters& parameters);

}  // namespace pssp
