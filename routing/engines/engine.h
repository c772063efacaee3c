#pragma once

// The interface of all routing engines, and the registry that finds them by name.
//
// A new engine is one file pair in this folder, one line in registry.cpp, one test file and one
// page in docs/reference/engines/. The plugin, route_lft and the tests then have it.
//
// Begin reading routing/ here; then an engine (pssp.cpp), and routing/verify/verify.h.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/options.h"
#include "routing/engines/parts/selection/routing_notes.h"

namespace pssp {

/// What an engine computed.
struct Routing {
  ForwardingTables tables;
  RoutingNotes notes = {};
};

/// Whether tables meet what the caller asks beyond routing, e.g. that they are free of deadlocks on
/// the virtual lanes at hand. May be costly, and is called for one set of tables after the other.
using Acceptance = std::function<bool(const ForwardingTables&)>;

/// What the caller asks for, and what it grants for that.
struct RouteRequest {
  /// Empty: the engine's first choice is taken.
  Acceptance accept = {};
  /// Threads that may work at once, the calling one included; engines start no others. The tables
  /// are the same for any number. `accept` is called from the calling thread alone.
  unsigned workers = 1;
  /// Asked between the steps of the work, from all threads, and told how far the work is.
  StopSignal stop = {};
};

/// Immutable; route() may be called from several threads.
class RoutingEngine {
 public:
  RoutingEngine() = default;
  RoutingEngine(const RoutingEngine&) = delete;
  RoutingEngine& operator=(const RoutingEngine&) = delete;
  virtual ~RoutingEngine() = default;

  /// Tables for every LID of the fabric: at each switch that can reach the LID's port an entry,
  /// elsewhere no_port. The same fabric and options give the same bytes. Throws
  /// Error(unsuitable_topology) where the engine's assumptions do not hold, naming the switch or
  /// link; Error(usage) when the fabric has no LIDs; Stopped when the request asked to stop,
  /// and then there are no tables.
  ///
  /// An engine that has several tables to choose from chooses among those that `accept` takes, best
  /// first, and asks no further than it must. Others never ask. Where all are turned down the
  /// tables are those that it would have chosen anyway: who passes `accept` looks at what it gets.
  Routing route(const Fabric& fabric, const RouteRequest& request = {}) const;

 private:
  /// What route() does, for a fabric with LIDs, numbered as route_by_structure() has it.
  virtual Routing compute(const Fabric& fabric, const RouteRequest& request) const = 0;
};

/// Tables of a numbered tree in the numbering of the fabric that it is of.
using ToOriginal = std::function<ForwardingTables(const ForwardingTables&)>;
/// What computes tables for the fabric that it is given.
using Construction = std::function<Routing(const Fabric&, const RouteRequest&, const ToOriginal&)>;

/// Shows the construction a tree numbered by its structure (routing/trees/numbered_tree.h), and
/// what it makes to the caller, `accept` included, in the numbering of the fabric. So what is done
/// in the order of numbers, or settled by the lowest, depends on cabling and names of hosts, not on
/// GUIDs and ports. Fabrics that are no trees, or are numbered so already, are shown as they are.
Routing route_by_structure(const Fabric& fabric, const RouteRequest& request,
                           const Construction& construct);

/// One line of the registry.
struct EngineDescription {
  std::string_view name;                        ///< as in `opensm -R NAME`
  std::string_view summary;                     ///< one line for --help
  std::vector<OptionDescription> (*options)();  ///< as its table has them
  /// Throws Error(usage) on a value that is out of range or not understood.
  std::unique_ptr<RoutingEngine> (*make)(const EngineOptions& options);
  /// A search that takes seconds on large fabrics. Such engines route every connected fabric.
  bool takes_long = false;
};

/// All engines, in the order of the documentation.
std::span<const EngineDescription> engine_registry();

/// Throws Error(usage) with the known names when there is no such engine.
const EngineDescription& find_engine(std::string_view name);

/// Engine `name` with the options that concern it. Throws Error(usage).
std::unique_ptr<RoutingEngine> make_engine(std::string_view name, const EngineOptions& options);

}  // namespace pssp
