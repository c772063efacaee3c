#pragma once

// Coordinates of switches in a mesh or torus, and the check that the cabling fits them.

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
  std::uint32_t size = 1;  ///< at least 1; recognised ones have at least 2
  bool ring = false;  ///< the two ends are neighbours too (a torus dimension); only with size >= 3
  friend bool operator==(const MeshDimension&, const MeshDimension&) = default;
};

/// The switches of one connected mesh or torus. A switch without links is a mesh of no dimensions.
struct MeshCoordinates {
  std::vector<SwitchId> switches;         ///< ascending
  std::vector<MeshDimension> dimensions;  ///< in the order in which they are routed
  std::vector<std::uint32_t> values;  ///< dimensions.size() a switch, in the order of `switches`

  /// Coordinates of switches[index].
  std::span<const std::uint32_t> of(std::size_t index) const noexcept {
    return std::span(values).subspan(index * dimensions.size(), dimensions.size());
  }
};

/// A hop to a neighbour: by one in one dimension.
struct MeshStep {
  std::uint32_t dimension = 0;
  bool up = false;  ///< towards the next larger coordinate, which in a ring comes round to 0
};

/// The step that leads from one place to another, nothing when they are no neighbours.
/// O(dimensions).
std::optional<MeshStep> mesh_step(std::span<const MeshDimension> dimensions,
                                  std::span<const std::uint32_t> from,
                                  std::span<const std::uint32_t> to);

/// What a mesh has lost.
struct MeshGaps {
  std::size_t switches = 0;  ///< places that none has
  std::size_t links = 0;     ///< between neighbouring places, several in parallel counted once
  bool any() const noexcept { return links != 0; }
};

/// Throws Error(unsuitable_topology) naming the first switch (lowest SwitchId) that is out of
/// order: one that shares its place with another, is cabled to a switch that is no neighbour, or
/// lacks a neighbour that its coordinates promise. What passes is a whole mesh: every place of the
/// box is taken once. `origin` says in the message where the coordinates come from. O(n dimensions
/// log n + channels * dimensions) for n switches.
void require_mesh(const Fabric& fabric, const MeshCoordinates& mesh, const std::string& origin);

/// The same, but that up to a quarter of the links may be missing.
MeshGaps require_damaged_mesh(const Fabric& fabric, const MeshCoordinates& mesh,
                              const std::string& origin);

/// The mesh as a coordinates file states it, and a mesh of no dimensions for each switch without
/// links that the file leaves out. A dimension whose kind the file leaves open is a ring where the
/// cabling closes it. Lines of switches that are not there count for the sizes alone. Checked with
/// require_damaged_mesh(). Throws Error(mismatch) when the file and the
/// fabric do not name the same switches, Error(unreadable_input) when the file contradicts itself.
std::vector<MeshCoordinates> meshes_from_file(const Fabric& fabric, const CoordinatesFile& file);

/// Dimension i of the result is dimension order[i] of `mesh`. `order` is a permutation of 0 ..
/// dimensions - 1.
MeshCoordinates reorder_dimensions(const MeshCoordinates& mesh,
                                   std::span<const std::uint32_t> order);

}  // namespace pssp
