#pragma once

// LIDs of hosts in files that may state them for all hosts, for some or for none.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/ids.h"

namespace pssp {

struct StatedLid {
  Lid lid = no_lid;       ///< no_lid: none is stated
  std::string_view host;  ///< name, for the warning
};

struct HostLids {
  std::vector<Lid> lids;              ///< by host
  std::vector<std::string> warnings;  ///< stated LIDs that are not used, with examples
};

/// The stated LIDs if each host has one of its own, else 1, 2, ... in the order of the hosts.
/// `file` stands for the file in the warning. O(hosts).
HostLids host_lids(std::span<const StatedLid> hosts, std::string_view file);

}  // namespace pssp
