#pragma once

// route_lft --stable: the tables of a fabric before a change, brought up to date
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

/// The command line's part about previous tables.
struct StableRequest {
  std::string file;            ///< of the previous tables; empty: all is routed from scratch
  bool from_baseline = false;  ///< these are of the fabric when nothing is missing (repair.h)
  std::string in_force;        ///< file of the tables that switches have meanwhile; empty: none
  bool first_start = false;    ///< an engine's, as opensm has them at a first start (first_start.h)
  StableOptions options{.keep_long_management_paths = true};

  bool wanted() const noexcept { return !file.empty(); }
  void add_options(CommandLine& line);
  /// After the command line was read; `engine` is empty where none is asked. Throws Error(usage).
  void complete(const CommandLine& line, const PluginOptions& settings, const std::string& engine,
                const std::string& topology);
};

/// The previous tables in the numbering of the fabric, from a file in any notation of tables.
/// Throws Error(mismatch) when none of its switches is in the fabric, Error(unreadable_input) when
/// it holds no tables, and whatever the readers throw. Adds what they have to say to `warnings`.
ForwardingTables read_previous_tables(const std::string& file, const Fabric& fabric,
                                      std::vector<std::string>& warnings);

/// Brings the tables that were read up to date; `in_force`: where the request names such.
StableRouting bring_up_to_date(const Fabric& fabric, const StableRequest& request,
                               const ForwardingTables& previous,
                               const std::optional<ForwardingTables>& in_force,
                               const StopSignal& stop);

nlohmann::ordered_json to_json(const EntryChanges& changes);

}  // namespace pssp
