#pragma once

// What programs that simulate read: fabric, tables, traffic.

#include <filesystem>
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

/// Tables with their fabric, which takes its LIDs from them where it has none.
struct SimulatedTables {
  std::string name;
  Fabric fabric;
  ForwardingTables tables;
  std::vector<std::string> warnings;
};

struct TrafficSource {
  std::string name;                 ///< of the file, or what was asked for
  std::optional<std::string> text;  ///< of a file; nothing: made by options
};

/// The levels are of the first tables.
struct SimulationInput : LevelFiles {
  const Scenario* scenario = nullptr;
  std::vector<TrafficSource> traffic;  ///< one at least
  std::vector<ReferenceFigure> reference;
  std::vector<SimulatedTables> tables;  ///< the first, then those it is compared with
};

/// `program` is the path of the executable: scenarios are beside it. Throws Error.
SimulationInput read_simulation_input(const SourceOptions& options,
                                      const std::filesystem::path& program);

/// What one of the sources sends with a seed, its times as the options have them.
TrafficFile traffic_for(const SourceOptions& options, const SimulationInput& input,
                        std::uint64_t seed, std::size_t source = 0);

/// model_of() with what the traffic file says.
Model model_for(const SourceOptions& options, const SimulationInput& input,
                const TrafficFile& traffic);

/// What is no mistake but should be known is added to the tables' warnings. Throws
/// Error(verification_failed) where tables have forwarding loops.
void add_warnings(const SourceOptions& options, SimulationInput& input);

}  // namespace pssp
