#pragma once

// Which links of a damaged mesh or torus run along which dimension.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/no_index.h"
#include "routing/mesh/island.h"

namespace pssp {

/// A step along a dimension.
struct ArcStep {
  std::uint32_t dimension = no_index;  ///< none: not known
  int by = 0;                          ///< 1 or -1, where it is known
};

struct DimensionGuess {
  std::vector<ArcStep> steps;  ///< by arc
  std::size_t dimensions = 0;  ///< at least 1
};

/// What the squares that are left say, the likelier first. None where the island is no part of a
/// mesh or torus. A ring of four counts as two dimensions of two. O(n d^2 + pairs of links of one
/// switch * log n) for n switches of d neighbours.
std::vector<DimensionGuess> guess_dimensions(const Island& island);

}  // namespace pssp
