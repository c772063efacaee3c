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

/// Whether tables meet further requirements of the caller, for example that they are free of credit
/// loops on the available virtual lanes. May be slow; called for one set of tables after the other.
using Acceptance = std::function<bool(const ForwardingTables&)>;

/// The requirements of the caller, and the resources that it permits.
struct RouteRequest {
  /// Empty: every choice of the engine is accepted.
  Acceptance accept = {};
  /// Limit of concurrent threads, including the calling one. The tables do not depend on it.
  /// `accept` is called only from the calling thread.
  unsigned workers = 1;
  /// Checked between the steps of the work, by all threads, with the progress of the work.
  StopSignal stop = {};
};

/// Immutable; route() may be called from several threads.
class RoutingEngine {
 public:
  RoutingEngine() = default;
  RoutingEngine(const RoutingEngine&) = delete;
  RoutingEngine& operator=(const RoutingEngine&) = delete;
  virtual ~RoutingEngine() = default;

  /// Tables for every LID of the fabric: an entry at each switch that can reach the LID's port,
  /// elsewhere no_port. The same fabric and options give the same bytes. Throws
  /// Error(unsuitable_topology), naming the switch or link, if the fabric does not meet the
  /// engine's assumptions; Error(usage) if the fabric has no LIDs; and Stopped.
  ///
  /// An engine with several candidates calls `accept` for them, best first, and returns the first
  /// accepted one; other engines ignore `accept`. If all are rejected, the engine returns the
  /// tables that it prefers without `accept`, so the caller must check the result.
  Routing route(const Fabric& fabric, const RouteRequest& request = {}) const;

 private:
  /// Implements route(), for a fabric with LIDs that route_by_structure() has numbered.
  virtual Routing compute(const Fabric& fabric, const RouteRequest& request) const = 0;
};

/// Converts tables of a numbered tree to the numbering of the original fabric.
using ToOriginal = std::function<ForwardingTables(const ForwardingTables&)>;
/// Computes tables for the given fabric.
using Construction = std::function<Routing(const Fabric&, const RouteRequest&, const ToOriginal&)>;

/// Calls `construct` for a tree numbered by its structure (routing/trees/numbered_tree.h), and
/// converts its tables, also for `accept`, to the numbering of the fabric. So the order of
/// decisions and ties depend on cabling and names of hosts, not on GUIDs and ports. Fabrics that
/// are no trees, or already have this numbering, are passed unchanged.
Routing route_by_structure(const Fabric& fabric, const RouteRequest& request,
                           const Construction& construct);

/// One line of the registry.
struct EngineDescription {
  std::string_view name;                        ///< as in `opensm -R NAME`
  std::string_view summary;                     ///< one line for --help
  std::vector<OptionDescription> (*options)();  ///< as its table has them
  /// Throws Error(usage) on a value that is out of range or not understood.
  std::unique_ptr<RoutingEngine> (*make)(const EngineOptions& options);
  /// Whether the engine searches for seconds on large fabrics. Such an engine must route every
  /// connected fabric with its default options.
  bool takes_long = false;
};

/// All engines, in the order of the documentation.
std::span<const EngineDescription> engine_registry();

/// Throws Error(usage) with the known names when there is no such engine.
const EngineDescription& find_engine(std::string_view name);

/// Engine `name` with the options that concern it. Throws Error(usage).
std::unique_ptr<RoutingEngine> make_engine(std::string_view name, const EngineOptions& options);

}  // namespace pssp
