#pragma once

// The whole fabric of which a damaged one is what is left, so that home can be made on a day on
// which something is missing (docs/stable.md).

#include <cstddef>
#include <optional>

#include "fabric/fabric.h"

namespace pssp {

struct ImaginedWhole {
  Fabric fabric;             ///< numbered by GUID; imagined switches have GUIDs above all others
  std::size_t links = 0;     ///< that the other one lacks, those of missing switches included
  std::size_t switches = 0;  ///< likewise
};

/// The fabric with the links and switches of the upper levels that its structure names as missing
/// (imagined_links.h). None where nothing is, where the fabric is no tree, or where so much would
/// have to be imagined (more than a fourth of what is there) that it is another fabric's structure.
/// O(channels * children of a switch + ports log nodes).
std::optional<ImaginedWhole> imagine_whole(const Fabric& fabric);

}  // namespace pssp
