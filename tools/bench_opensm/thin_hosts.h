#pragma once

#include <string>
#include <string_view>

namespace pssp {

/// Reduces a net file of make_topo to `hosts` hosts at each of the first `switches` switches with
/// hosts, in the order of the file. Nodes are paragraphs; each host (its name begins with H) is
/// cabled to one switch at its port 1. O(size).
std::string thin_hosts(std::string_view net_file, unsigned hosts, unsigned switches);

}  // namespace pssp
