#pragma once

// route_lft --first-start: simulates the start of an opensm without a state file, with stable=on
// (docs/explanation/incremental-rerouting.md). The plugin performs the same steps with its limits
// of time and memory; both share the decision between the complete tree and the current fabric.

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/engine.h"
#include "routing/repair/stable_rerouting.h"

namespace pssp {

struct FirstStart {
  Routing routing;                   ///< tables of the current fabric
  std::optional<std::size_t> links;  ///< missing in the tree; none: no link is known to be missing
  std::size_t switches = 0;          ///< number of missing switches, whose links are included above
  std::string why_not_whole;         ///< empty: the tables are the repaired complete tree
};

/// Functions that call the engine for a fabric, and determine whether tables can deadlock on the
/// available lanes.
struct FirstStartSteps {
  std::function<Routing(const Fabric&)> route;
  std::function<bool(const Fabric&, const ForwardingTables&)> falls_short;
};

/// Throws the engine's errors for the current fabric.
FirstStart start_first(const Fabric& fabric, const FirstStartSteps& steps,
                       const StableOptions& options, const StopSignal& stop);

/// A line for the user, without a line end.
std::string describe(const FirstStart& first);
nlohmann::ordered_json to_json(const FirstStart& first);

}  // namespace pssp
