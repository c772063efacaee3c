#pragma once

// The paths towards one switch that are to be chosen among, laid out for choosing often.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// Switches that choose among the same next switches by the same channels, counted from each
/// switch's first: the leaves of a pod do so. Or several switches that have one way each.
struct PathGroup {
  std::uint32_t switches = 0;
  std::uint16_t paths = 0;       // from the first to the last that leads there
  std::uint16_t first_path = 0;  // its number among the channels of the switch
};

/// All destinations behind one switch share these. The numbers of each group follow those of the
/// group before; groups are ordered such that a switch comes behind all that it may forward to.
struct RootPaths {
  std::vector<PathGroup> groups;
  std::vector<std::uint32_t> switches;
  /// For each way of a group the switch that it leads to, switch_count() where it does not lead
  /// towards the root. In a group of one way: for each of its switches the switch that it leads to
  /// and the number of the way.
  std::vector<std::uint32_t> heads;
  /// Hops of the longest way.
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
