#pragma once

// The kinds of runs that are compared: tables and parameter sets.

#include <optional>
#include <string>
#include <vector>

#include "congestion/parameters.h"
#include "tools/simulate_fabric/options.h"
#include "tools/simulation/simulation_input.h"

namespace pssp {

struct Variant {
  std::string name;        ///< of the set, and of the tables where there are several
  std::string set;         ///< "off", "thesis-mesh", a file
  std::size_t tables = 0;  ///< position in SimulationInput::tables
  std::optional<CongestionParameters> congestion;  ///< nothing: off
  std::vector<std::string> cell;  ///< values of the varied parameters; empty outside the grid
};

/// Whether switches look at a threshold, without which no port is in the state congested.
bool counts_congestion(const Variant& variant);

/// What is varied: by options or by the scenario; names with their values.
std::vector<VariedParameter> varied_parameters(const SimulateOptions& options,
                                               const SimulationInput& input);

/// The first one is what the others are compared with. Throws Error.
std::vector<Variant> make_variants(const SimulateOptions& options, const SimulationInput& input,
                                   const TrafficFile& traffic);

}  // namespace pssp
