#pragma once

// The input of simulating programs: fabric, tables, traffic.

#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"
#include "simulator/model.h"
#include "simulator/scenarios/reference.h"
#include "simulator/scenarios/registry.h"
#include "simulator/traffic/traffic_file.h"
#include "tools/simulation/model_options.h"
#include "tools/simulation/source_options.h"

namespace pssp {

/// Tables with their fabric, which gets its LIDs from them if it has none.
struct SimulatedTables {
  std::string name;
  Fabric fabric;
  ForwardingTables tables;
  std::vector<std::string> warnings;
};

struct TrafficSource {
  std::string name;                 ///< of the file, or the option
  std::optional<std::string> text;  ///< of a file; none: made by options
};

/// The levels belong to the first tables.
struct SimulationInput : LevelFiles {
  const Scenario* scenario = nullptr;
  std::vector<TrafficSource> traffic;  ///< at least one
  std::vector<ReferenceFigure> reference;
  std::vector<SimulatedTables> tables;  ///< the first, then those for comparison
};

/// Scenarios are in the installation of the running program. Throws Error.
SimulationInput read_simulation_input(const SourceOptions& options);

/// The traffic of a source with a seed; times are overridden by the options.
TrafficFile traffic_for(const SourceOptions& options, const SimulationInput& input,
                        std::uint64_t seed, std::size_t source = 0);

/// model_of() with the statements of the traffic file.
Model model_for(const SourceOptions& options, const SimulationInput& input,
                const TrafficFile& traffic);

/// Adds warnings about valid but notable input to the tables' warnings. Throws
/// Error(verification_failed) if tables have forwarding loops.
void add_warnings(const SourceOptions& options, SimulationInput& input);

}  // namespace pssp
