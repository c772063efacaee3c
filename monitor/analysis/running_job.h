#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pssp {

/// A running job with its adapters: ascending indices into FabricMap::nodes.
struct RunningJob {
  std::string id;  ///< may be shown
  std::vector<std::uint32_t> nodes;
};

}  // namespace pssp
