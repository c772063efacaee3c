#pragma once

// The names of a simulated fabric's hosts in a job file.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Endpoints by the monitor's name of their node: the first word of the description, in lower case,
/// up to the first dot.
std::map<std::string, std::vector<std::uint32_t>> hosts_by_name(const Fabric& fabric);

/// Whether each endpoint has a unique name.
bool have_own_names(const Fabric& fabric);

/// The net file with descriptions of host adapters as one word: "leaf 1 host 2" becomes
/// "leaf-1-host-2". O(size).
std::string with_plain_names(std::string_view net_file);

}  // namespace pssp
