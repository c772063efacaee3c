#pragma once

// Finds the dimensions of the links of a damaged mesh or torus.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/no_index.h"
#include "routing/mesh/island.h"

namespace pssp {

/// A step along a dimension.
struct ArcStep {
  std::uint32_t dimension = no_index;  ///< none: unknown
  int by = 0;                          ///< 1 or -1, if known
};

struct DimensionGuess {
  std::vector<ArcStep> steps;  ///< by arc
  std::size_t dimensions = 0;  ///< at least 1
};

/// Possible results from the remaining squares, in descending order of likelihood. Empty if the
/// island is not a part of a mesh or torus. A ring of four counts as two dimensions of size two.
/// O(n d^2 + pairs of links of one switch * log n) for n switches with d neighbors.
std::vector<DimensionGuess> guess_dimensions(const Island& island);

}  // namespace pssp
