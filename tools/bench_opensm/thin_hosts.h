#pragma once

#include <string>
#include <string_view>

namespace pssp {

/// A net file of make_topo with fewer hosts: of `switches` switches that have some, in the order of
/// the file, `hosts` each. Nodes are paragraphs; each host (its name begins with H) is cabled to
/// one switch at its port 1. O(size).
std::string thin_hosts(std::string_view net_file, unsigned hosts, unsigned switches);

}  // namespace pssp
