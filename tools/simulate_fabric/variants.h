#pragma once

// The compared kinds of runs: tables and parameter sets.

#include <optional>
#include <string>
#include <vector>

#include "congestion/parameters.h"
#include "tools/simulate_fabric/options.h"
#include "tools/simulation/simulation_input.h"

namespace pssp {

struct Variant {
  std::string name;        ///< of the set, and of the tables if there are several
  std::string set;         ///< "off", "thesis-mesh", a file
  std::size_t tables = 0;  ///< index in SimulationInput::tables
  std::optional<CongestionParameters> congestion;  ///< none: off
  std::vector<std::string> cell;  ///< values of the varied parameters; empty outside the grid
};

/// Whether switches have a threshold, without which no port is congested.
bool counts_congestion(const Variant& variant);

/// Varied parameters from options or the scenario; names with their values.
std::vector<VariedParameter> varied_parameters(const SimulateOptions& options,
                                               const SimulationInput& input);

/// The others are compared with the first one. Throws Error.
std::vector<Variant> make_variants(const SimulateOptions& options, const SimulationInput& input,
                                   const TrafficFile& traffic);

}  // namespace pssp
