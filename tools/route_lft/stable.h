#pragma once

// route_lft --stable: adapts the tables of a fabric to a change
// (docs/explanation/incremental-rerouting.md).

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/options/plugin_options.h"
#include "routing/repair/stable_rerouting.h"
#include "tools/kit/command_line.h"

namespace pssp {

/// The options about previous tables.
struct StableRequest {
  std::string file;            ///< of the previous tables; empty: route from scratch
  bool from_baseline = false;  ///< they belong to the complete fabric (repair_tables.h)
  std::string in_force;        ///< file of the current tables of the switches; empty: none
  bool first_start = false;    ///< as opensm at a first start (first_start.h)
  StableOptions options{.keep_long_management_paths = true};

  bool wanted() const noexcept { return !file.empty(); }
  void add_options(CommandLine& line);
  /// Called after parsing; `engine` is empty if none was given. Throws Error(usage).
  void complete(const CommandLine& line, const PluginOptions& settings, const std::string& engine,
                const std::string& topology);
};

/// The previous tables in the numbering of the fabric, from a file in any format of tables. Throws
/// Error(mismatch) if none of its switches is in the fabric, Error(unreadable_input) if it contains
/// no tables, and the errors of the readers. Adds their warnings to `warnings`.
ForwardingTables read_previous_tables(const std::string& file, const Fabric& fabric,
                                      std::vector<std::string>& warnings);

/// Adapts the previous tables; `in_force`: if the request names them.
StableRouting bring_up_to_date(const Fabric& fabric, const StableRequest& request,
                               const ForwardingTables& previous,
                               const std::optional<ForwardingTables>& in_force,
                               const StopSignal& stop);

nlohmann::ordered_json to_json(const EntryChanges& changes);

}  // namespace pssp
