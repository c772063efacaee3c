#pragma once

// Coordinates of switches in a mesh or torus, and the comparison of the coordinates with the
// cabling.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "routing/mesh/coordinates_file.h"

namespace pssp {

/// Coordinates of a dimension run from 0 to size - 1.
struct MeshDimension {
  std::uint32_t size = 1;  ///< at least 1; at least 2 for recognized dimensions
  bool ring = false;  ///< the two ends are also neighbors (a torus dimension); only with size >= 3
  friend bool operator==(const MeshDimension&, const MeshDimension&) = default;
};

/// The switches of one connected mesh or torus. A switch without links is a mesh of no dimensions.
struct MeshCoordinates {
  std::vector<SwitchId> switches;         ///< ascending
  std::vector<MeshDimension> dimensions;  ///< in routing order
  std::vector<std::uint32_t> values;  ///< dimensions.size() per switch, in the order of `switches`

  /// Coordinates of switches[index].
  std::span<const std::uint32_t> of(std::size_t index) const noexcept {
    return std::span(values).subspan(index * dimensions.size(), dimensions.size());
  }
};

/// A step to a neighbor in one dimension.
struct MeshStep {
  std::uint32_t dimension = 0;
  bool up = false;  ///< towards the next larger coordinate; in a ring, 0 follows the largest
};

/// The step from one position to another, or nothing if the positions are not neighbors.
/// O(dimensions).
std::optional<MeshStep> mesh_step(std::span<const MeshDimension> dimensions,
                                  std::span<const std::uint32_t> from,
                                  std::span<const std::uint32_t> to);

/// The missing parts of a mesh.
struct MeshGaps {
  std::size_t switches = 0;  ///< positions without a switch
  std::size_t links = 0;     ///< between neighboring positions; parallel links count once
  bool any() const noexcept { return links != 0; }
};

/// Throws Error(unsuitable_topology) with the name of the first defective switch (lowest SwitchId).
/// A switch is defective if it has the same position as another switch, has a link to a switch that
/// is not a neighbor, or lacks a link to a neighbor. A mesh without errors is complete: every
/// position of the box has exactly one switch. The message names the source of the coordinates,
/// `origin`. O(n dimensions log n + channels * dimensions) for n switches.
void require_mesh(const Fabric& fabric, const MeshCoordinates& mesh, const std::string& origin);

/// The same, but up to a quarter of the links may be missing.
MeshGaps require_damaged_mesh(const Fabric& fabric, const MeshCoordinates& mesh,
                              const std::string& origin);

/// The mesh of a coordinates file, and a mesh without dimensions for each switch without links that
/// the file does not list. If the file does not specify the type of a dimension, the dimension is a
/// ring if the cabling closes it. Lines of missing switches affect only the sizes. The mesh is
/// checked with require_damaged_mesh(). Throws Error(mismatch) if the file and the fabric have
/// different switches, and Error(unreadable_input) if the file contradicts itself.
std::vector<MeshCoordinates> meshes_from_file(const Fabric& fabric, const CoordinatesFile& file);

/// Dimension i of the result is dimension order[i] of `mesh`. `order` is a permutation of 0 ..
/// dimensions - 1.
MeshCoordinates reorder_dimensions(const MeshCoordinates& mesh,
                                   std::span<const std::uint32_t> order);

}  // namespace pssp
