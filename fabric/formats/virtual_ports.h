#pragma once

// Virtual ports (SR-IOV): subnet managers of vendors give each its own LID, behind the port of the
// host that it belongs to. Tables have these LIDs; ibnetdiscover and opensm's lists do not.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/formats/lft_file.h"

namespace pssp {

/// The LIDs of a dump that the topology does not list and that belong to virtual ports of its
/// hosts. Such a LID leaves the network at one host's port alone, by which that host's own LID
/// leaves it, too, and no comment of the dump gives it to another node. Holds nothing of its
/// arguments.
class VirtualPorts {
 public:
  /// `switches`: of the fabric, by index in the dump; none where it has no such switch.
  /// O(entries of the dump + end ports).
  VirtualPorts(const Fabric& fabric, const LftFile& dump, std::span<const SwitchId> switches);

  bool contains(Lid lid) const noexcept {
    return lid < host_of_lid_.size() && host_of_lid_[lid].valid();
  }
  std::size_t count() const noexcept { return count_; }
  std::size_t host_count() const noexcept { return host_count_; }
  /// "LID 300 at 'node1 mlx5_0' (LID 5)"; empty where there is none.
  const std::string& example() const noexcept { return example_; }

 private:
  std::vector<EndPortId> host_of_lid_;
  std::size_t count_ = 0, host_count_ = 0;
  std::string example_;
};

}  // namespace pssp
