#pragma once

// Built-in scenarios: a fabric, its tables, its traffic, and published results.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The values of one varied parameter.
struct ScenarioAxis {
  std::string_view parameter;  ///< "CCTI_Timer"
  std::vector<std::string_view> values;
};

struct Scenario {
  std::string_view name;           ///< "thesis-a"; its files are NAME.traffic and NAME.reference
  std::string_view meaning;        ///< one line
  std::string_view topology;       ///< a specification of topologies/registry.h
  std::string_view engine;         ///< engine of the tables
  std::string_view set;            ///< congestion control parameters, compared with none
  std::vector<ScenarioAxis> axes;  ///< variations of the set; none: only the set
};

/// In the order of the documentation.
std::span<const Scenario> scenario_registry();

/// Throws Error(usage) with the known names.
const Scenario& find_scenario(std::string_view name);

struct ScenarioFabric {
  Fabric fabric;
  ForwardingTables tables;
};

ScenarioFabric make_scenario_fabric(const Scenario& scenario);

}  // namespace pssp
