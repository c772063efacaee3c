#pragma once

// LIDs of hosts in files that specify them for all hosts, for some or for none.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/ids.h"

namespace pssp {

struct StatedLid {
  Lid lid = no_lid;       ///< no_lid: unspecified
  std::string_view host;  ///< name, for the warning
};

struct HostLids {
  std::vector<Lid> lids;              ///< by host
  std::vector<std::string> warnings;  ///< LIDs that are not used, with examples
};

/// The specified LIDs if each host has a different one, else 1, 2, ... in the order of the hosts.
/// `file` stands for the file in the warning. O(hosts).
HostLids host_lids(std::span<const StatedLid> hosts, std::string_view file);

}  // namespace pssp
