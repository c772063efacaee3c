#pragma once

// A parameter set with some values changed.

#include <span>
#include <string>
#include <utility>

#include "congestion/parameters.h"

namespace pssp {

/// The name in the notation of parameter files of what papers call otherwise; all else as it is.
std::string notation_name(const std::string& name);

/// The set with the named parameters set to the values, in the notation of parameter files
/// (docs/reference/congestion-parameters.md): names as there (`adapter.ccti_timer`, `table.flows`),
/// or as papers have them (`CCTI_Timer`). Throws Error(usage), naming parameter and value.
CongestionParameters with_changes(const CongestionParameters& parameters,
                                  std::span<const std::pair<std::string, std::string>> changes);

}  // namespace pssp
