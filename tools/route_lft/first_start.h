#pragma once

// route_lft --first-start: what an opensm without a state file makes of a fabric with stable=on
// (docs/explanation/incremental-rerouting.md). The plugin does the same step by step, with its
// limits of time and memory; what decides between the whole tree and the fabric as it is, is common
// to both.

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
  Routing routing;                   ///< tables of the fabric as it is
  std::optional<std::size_t> links;  ///< that the tree lacks; none: nothing is known to be missing
  std::size_t switches = 0;          ///< likewise, with their links among the others
  std::string why_not_whole;  ///< empty: the baseline is the whole tree, and the tables are its own
};

/// How an engine is called for a fabric, and whether tables for one can deadlock on the lanes that
/// there are.
struct FirstStartSteps {
  std::function<Routing(const Fabric&)> route;
  std::function<bool(const Fabric&, const ForwardingTables&)> falls_short;
};

/// Throws what the engine throws for the fabric as it is.
FirstStart start_first(const Fabric& fabric, const FirstStartSteps& steps,
                       const StableOptions& options, const StopSignal& stop);

/// A line for who asked, without a line's end.
std::string describe(const FirstStart& first);
nlohmann::ordered_json to_json(const FirstStart& first);

}  // namespace pssp
