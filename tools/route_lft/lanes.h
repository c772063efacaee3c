#pragma once

// route_lft --lanes: the routes on virtual lanes (docs/explanation/deadlock.md).

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/deadlock/lane_assignment.h"
#include "routing/options/plugin_options.h"
#include "routing/verify/lanes.h"
#include "tools/kit/command_line.h"
#include "tools/kit/timings.h"

namespace pssp {

/// The options about lanes.
struct LaneRequest {
  bool wanted = false;
  LaneOptions options;
  std::string file;  ///< output for the service levels

  void add_options(CommandLine& line);
  /// Called after parsing. `tables`: the file of the forwarding tables, from whose name the default
  /// name of the levels is derived. Throws Error(usage).
  void complete(const CommandLine& line, const PluginOptions& settings, const std::string& tables);

 private:
  void take(const CommandLine& line, const PluginOptions& settings);

  bool end_ports_only_ = false;
};

struct LaneOutcome {
  LaneAssignment assignment;
  LaneReport proof;
  Timings assign_time, prove_time;
};

/// Whether max_lanes of the options suffice for the tables: for engines with a choice of tables.
bool needs_no_more_lanes(const Fabric& fabric, const ForwardingTables& tables,
                         const LaneOptions& options);

/// Assigns `repeat` times, which affects only the timings, and proves the result. Throws
/// Error(unsuitable_topology) if the lanes do not suffice.
LaneOutcome assign_and_prove(const Fabric& fabric, const ForwardingTables& tables,
                             const LaneOptions& options, unsigned repeat);

}  // namespace pssp
