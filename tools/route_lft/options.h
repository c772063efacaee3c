#pragma once

// The command line of route_lft. Opens only the file in options_file.

#include <optional>
#include <string>

#include "fabric/builder.h"
#include "routing/options/plugin_options.h"
#include "routing/verify/verify.h"
#include "tools/route_lft/lanes.h"
#include "tools/route_lft/stable.h"

namespace pssp {

inline constexpr const char* route_lft_name = "route_lft";

struct RouteLftOptions {
  std::string engine, topology;
  std::string output = "-";
  std::string topology_output;
  PluginOptions settings;  ///< from --set
  std::optional<unsigned> lmc;
  unsigned repeat = 1;
  std::string capacity;    ///< file; empty: all links have their nominal capacity
  std::string node_types;  ///< file; empty: derived from the names of hosts
  BuilderOptions builder;
  VerifyOptions verify;
  LaneRequest lanes;
  StableRequest stable;
  bool json = false;
  /// For --check-options: other options are then ignored.
  std::optional<std::string> text_to_check;

  const char* engine_name() const { return stable.wanted() ? "stable" : engine.c_str(); }
};

/// None if --help, --version or --list was printed. Throws Error(usage).
std::optional<RouteLftOptions> parse_route_lft_options(int argc, char** argv);

}  // namespace pssp
