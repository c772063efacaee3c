#pragma once

// Names by which a job file can name the hosts of a simulated fabric.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Endpoints by the name that the monitor knows their node by: the first word of the description,
/// in small letters, up to the first dot.
std::map<std::string, std::vector<std::uint32_t>> hosts_by_name(const Fabric& fabric);

/// Each endpoint has a name that no other node has.
bool have_own_names(const Fabric& fabric);

/// The net file with the descriptions of its hosts' adapters in one word: "leaf 1 host 2" becomes
/// "leaf-1-host-2". O(size).
std::string with_plain_names(std::string_view net_file);

}  // namespace pssp
