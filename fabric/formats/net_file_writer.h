#pragma once

// Writer of ibsim net files, with GUIDs, descriptions, LIDs and link rates in the notation of
// ibnetdiscover: ibsim loads them, and read_topology() gives the same fabric back.

#include <string>

#include "fabric/fabric.h"

namespace pssp {

std::string to_net_file(const Fabric& fabric);

}  // namespace pssp
