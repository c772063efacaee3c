#pragma once

// A parameter set in the notation of parameter files.

#include <string>
#include <vector>

#include "congestion/parameters.h"

namespace pssp {

/// One setting of the notation, with what its value means where it does not say so itself.
struct ParameterLine {
  std::string name, value;
  std::string remark;  ///< without '#'; may be empty
};

/// All settings of the set: the switches', the adapters' (for all service levels, then for those
/// that differ from service level 0), the table's.
std::vector<ParameterLine> parameter_lines(const CongestionParameters& parameters);

/// The notation, complete: parse_congestion_parameters() of it gives an equal set.
std::string congestion_parameters_text(const CongestionParameters& parameters);

}  // namespace pssp
