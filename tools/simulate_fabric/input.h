#pragma once

// What simulate_fabric reads: fabric, tables, traffic.

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
#include "tools/simulate_fabric/options.h"

namespace pssp {

/// Tables with their fabric, which takes its LIDs from them where it has none.
struct SimulatedTables {
  std::string name;
  Fabric fabric;
  ForwardingTables tables;
  std::vector<std::string> warnings;
};

struct SimulationInput {
  const Scenario* scenario = nullptr;
  std::string traffic_name;  ///< of the file, or what was asked for
  std::string traffic_text;  ///< of a file; empty: made by options
  std::vector<ReferenceFigure> reference;
  std::vector<SimulatedTables> tables;  ///< the first, then those it is compared with
  std::optional<ServiceLevels> levels;  ///< of the first
  std::vector<std::uint8_t> sl_to_vl;   ///< 16 of them, or none
};

/// `program` is the path of the executable: scenarios are beside it. Throws Error.
SimulationInput read_simulation_input(const SimulateOptions& options,
                                      const std::filesystem::path& program);

/// What is sent with a seed, its times as the options have them.
TrafficFile traffic_for(const SimulateOptions& options, const SimulationInput& input,
                        std::uint64_t seed);

/// The defaults, then what the traffic file says, then the options. With service levels and no map
/// of them the default is a lane for each.
Model model_for(const SimulateOptions& options, const SimulationInput& input,
                const TrafficFile& traffic);

}  // namespace pssp
