#pragma once

// The command line of route_lft. Nothing is opened here but the file that options_file names.

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
  PluginOptions settings;  ///< what --set says
  std::optional<unsigned> lmc;
  unsigned repeat = 1;
  std::string capacity;    ///< file; empty: all links have their nominal capacity
  std::string node_types;  ///< file; empty: from the names of hosts
  BuilderOptions builder;
  VerifyOptions verify;
  LaneRequest lanes;
  StableRequest stable;
  bool json = false;
  /// Of --check-options: then nothing else counts.
  std::optional<std::string> text_to_check;

  const char* engine_name() const { return stable.wanted() ? "stable" : engine.c_str(); }
};

/// Nothing when --help, --version or --list was answered. Throws Error(usage).
std::optional<RouteLftOptions> parse_route_lft_options(int argc, char** argv);

}  // namespace pssp
