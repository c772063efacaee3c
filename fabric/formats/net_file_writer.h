#pragma once

// Writes ibsim net files with GUIDs, descriptions, LIDs and link rates in the notation of
// ibnetdiscover: ibsim loads them, and read_topology() returns the same fabric.

#include <cstdint>
#include <string>

#include "fabric/fabric.h"

namespace pssp {

enum class NetFileDialect : std::uint8_t {
  ibnetdiscover,  ///< port lines describe the far end
  /// Omits what ibsim 0.10 misreads: descriptions on port lines, and quotes in descriptions. Rates
  /// of routers are masks, the only form that ibsim reads there.
  ibsim,
};

/// All nodes and cables, including cables without routes.
std::string to_net_file(const Fabric& fabric,
                        NetFileDialect dialect = NetFileDialect::ibnetdiscover);

}  // namespace pssp
