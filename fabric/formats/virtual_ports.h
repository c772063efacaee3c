#pragma once

// Virtual ports (SR-IOV): vendors' subnet managers assign them LIDs behind the port of their host.
// Tables contain these LIDs; ibnetdiscover and opensm's lists do not.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/formats/lft_file.h"

namespace pssp {

/// The LIDs of a dump that are missing in the topology and belong to virtual ports of its hosts.
/// Packets to such a LID leave the network only at the port of one host, by the same port as
/// packets to the host's own LID, and no comment of the dump assigns the LID to another node. Does
/// not refer to its arguments.
class VirtualPorts {
 public:
  /// `switches`: of the fabric, by index in the dump; none if the fabric lacks the switch.
  /// O(entries of the dump + end ports).
  VirtualPorts(const Fabric& fabric, const LftFile& dump, std::span<const SwitchId> switches);

  bool contains(Lid lid) const noexcept {
    return lid < host_of_lid_.size() && host_of_lid_[lid].valid();
  }
  std::size_t count() const noexcept { return count_; }
  std::size_t host_count() const noexcept { return host_count_; }
  /// "LID 300 at 'node1 mlx5_0' (LID 5)"; empty if there is none.
  const std::string& example() const noexcept { return example_; }

 private:
  std::vector<EndPortId> host_of_lid_;
  std::size_t count_ = 0, host_count_ = 0;
  std::string example_;
};

}  // namespace pssp
