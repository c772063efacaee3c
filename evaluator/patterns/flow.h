#pragma once

// The unit of a traffic pattern.

#include <cstdint>

namespace pssp {

/// One end port sends to another. Both are ranks: positions in Fabric::endpoints().
struct Flow {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  friend bool operator==(const Flow&, const Flow&) = default;
};

}  // namespace pssp
