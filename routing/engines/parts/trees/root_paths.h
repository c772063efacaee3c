#pragma once

// The alternatives towards one switch, in a layout for choosing repeatedly.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Switches with the same next switches at the same channels (numbered from each switch's first),
/// such as the leaves of a pod; or several switches with one next hop each.
struct PathGroup {
  std::uint32_t switches = 0;
  std::uint16_t paths = 0;       // channels from the first to the last next hop
  std::uint16_t first_path = 0;  // number of the first next hop among the channels of the switch
};

/// Shared by all destinations at one switch. The elements of each group follow those of the
/// previous group; groups are ordered such that a switch comes after all its next switches.
struct RootPaths {
  std::vector<PathGroup> groups;
  std::vector<std::uint32_t> switches;
  /// For each channel of a group the switch that it leads to; switch_count() if it does not lead
  /// towards the root. In a group with one next hop: for each switch its next switch and the number
  /// of the channel.
  std::vector<std::uint32_t> heads;
  /// Hops of the longest path.
  std::uint32_t hops = 0;

  std::size_t bytes() const noexcept {
    return groups.capacity() * sizeof(PathGroup) +
           (switches.capacity() + heads.capacity()) * sizeof(std::uint32_t);
  }
};

/// `distances`: HopDistances or UpDownDistances after search(root). O(switches + channels).
template <class Distances>
RootPaths gather_root_paths(const Fabric& fabric, const Distances& distances);

}  // namespace pssp
