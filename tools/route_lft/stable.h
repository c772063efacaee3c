#pragma once

// route_lft --stable: the tables of a fabric before a change, brought up to date (docs/stable.md).

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/options/plugin_options.h"
#include "routing/repair/stable_rerouting.h"
#include "tools/kit/command_line.h"

namespace pssp {

/// The command line's part about previous tables.
struct StableRequest {
  std::string file;  ///< of the previous tables; empty: all is routed anew
  StableOptions options{.keep_long_management_ways = true};

  bool wanted() const noexcept { return !file.empty(); }
  void add_options(CommandLine& line);
  /// After the command line was read. Throws Error(usage).
  void complete(const CommandLine& line, const PluginOptions& settings,
                const std::string& topology);
};

/// The previous tables in the numbering of the fabric, from a file in any notation of tables.
/// Throws Error(mismatch) when none of its switches is in the fabric, Error(unreadable_input) when
/// it holds no tables, and whatever the readers throw. Adds what they have to say to `warnings`.
ForwardingTables read_previous_tables(const std::string& file, const Fabric& fabric,
                                      std::vector<std::string>& warnings);

nlohmann::ordered_json to_json(const EntryChanges& changes);

}  // namespace pssp
