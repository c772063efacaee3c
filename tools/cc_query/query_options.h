#pragma once

// The command line of cc_query. Nothing is opened here.

#include <optional>
#include <string>

#include "tools/congestion/cc_options.h"

namespace pssp {

struct QueryOptions {
  CcOptions fabric;
  std::string profile;  ///< empty: settings are listed, not compared
  bool as_opensm = false;
};

/// None if --help or --version was printed. Throws Error(usage).
std::optional<QueryOptions> parse_query_options(int argc, const char* const* argv);

}  // namespace pssp
