#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pssp {

/// A running job with its adapters as ascending indices into FabricMap::nodes.
struct RunningJob {
  std::string id;  ///< sanitized
  std::vector<std::uint32_t> nodes;
};

}  // namespace pssp
