#pragma once

// A parameter set with some values changed.

#include <span>
#include <string>
#include <utility>

#include "congestion/parameters.h"

namespace pssp {

/// Converts a parameter name from papers to the notation of parameter files; keeps other names.
std::string notation_name(const std::string& name);

/// The set with the named parameters changed to the values, in the notation of parameter files
/// (docs/reference/congestion-parameters.md). Names are as there (`adapter.ccti_timer`,
/// `table.flows`) or as in papers (`CCTI_Timer`). Throws Error(usage), naming parameter and value.
CongestionParameters with_changes(const CongestionParameters& parameters,
                                  std::span<const std::pair<std::string, std::string>> changes);

}  // namespace pssp
