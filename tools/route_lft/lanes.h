#pragma once

// route_lft --layers: the routes on virtual lanes (docs/explanation/deadlock.md).

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

/// The command line's part about lanes.
struct LaneRequest {
  bool wanted = false;
  LaneOptions options;
  std::string file;  ///< for the service levels

  void add_options(CommandLine& line);
  /// After the command line was read. `tables`: the file of the forwarding tables, whose name the
  /// levels get where they have none of their own. Throws Error(usage).
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

/// Whether max_lanes of the options suffice for the tables: for engines that can choose others.
bool needs_no_more_lanes(const Fabric& fabric, const ForwardingTables& tables,
                         const LaneOptions& options);

/// Assigns `repeat` times, which changes nothing but the timings, and proves the result. Throws
/// Error(unsuitable_topology) when the lanes do not suffice.
LaneOutcome assign_and_prove(const Fabric& fabric, const ForwardingTables& tables,
                             const LaneOptions& options, unsigned repeat);

}  // namespace pssp
