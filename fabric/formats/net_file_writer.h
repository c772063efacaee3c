#pragma once

// Writes ibsim net files with GUIDs, descriptions, LIDs and link rates in the notation of
// ibnetdiscover: ibsim loads them, and read_topology() returns the same fabric.

#include <cstdint>
#include <string>

#include "fabric/fabric.h"

namespace pssp {

enum class NetFileDialect : std::uint8_t {
  ibnetdiscover,  ///< port lines describe the far end
  ibsim,  ///< what ibsim 0.10 would misread is left out: descriptions on port lines, quotes in
          ///< descriptions; routers state their rates as masks, the one form that it reads there
};

/// All nodes and cables, including cables without routes.
std::string to_net_file(const Fabric& fabric,
                        NetFileDialect dialect = NetFileDialect::ibnetdiscover);

}  // namespace pssp
