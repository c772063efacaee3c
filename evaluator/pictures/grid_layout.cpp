#include "evaluator/pictures/grid_layout.h"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "base/error.h"
#include "evaluator/pictures/vector_length.h"
#include "routing/mesh/mesh_recognition.h"

// Each dimension has a direction in the picture, and the position of a switch is the sum of its
// coordinates times these directions. The first dimension points to the right, the second up, the
// third diagonally inside the cells of the first two, like a drawing of a cube; so no link of these
// passes behind a switch. Further dimensions arrange such cubes side by side and above each other,
// slightly skewed, so that their links also pass beside the switches. The link that closes a ring
// is bent around the row.

namespace pssp {
namespace {

std::vector<MapPoint> directions(const std::vector<MeshDimension>& dimensions, MapBox box) {
  const auto size = [&](std::size_t d) {
    return d < dimensions.size() ? static_cast<double>(dimensions[d].size) : 1.0;
  };
  // Moves a switch clear of the lines of the preceding row and column.
  const MapPoint diagonal{box.width * 0.62, box.height * 1.7};
  double width = box.width * 1.8;
  double height = box.height * 3;
  if (dimensions.size() > 2) {
    width += diagonal.x * (size(2) - 1);
    height += diagonal.y * (size(2) - 1);
  }
  std::vector<MapPoint> result{{width, 0}, {0, height}, diagonal};
  width *= size(0);
  height *= size(1);
  constexpr double gap = 1.15;
  constexpr double skew = 0.07;
  for (std::size_t d = 3; d < dimensions.size(); ++d) {
    if (d % 2 == 1) {
      width *= gap;
      result.push_back({width, skew * height});
      width *= size(d);
    } else {
      height *= gap;
      result.push_back({skew * width, height});
      height *= size(d);
    }
  }
  return result;
}

/// For the line from switch a to switch b.
double bulge(const MeshCoordinates& mesh, std::span<const std::uint32_t> a,
             std::span<const std::uint32_t> b, const std::vector<MapPoint>& positions,
             const MapLine& line) {
  for (std::size_t d = 0; d < mesh.dimensions.size(); ++d) {
    const auto steps = static_cast<std::uint32_t>(
        std::abs(static_cast<std::int64_t>(a[d]) - static_cast<std::int64_t>(b[d])));
    if (steps < 2) continue;
    const double x = positions[line.b].x - positions[line.a].x;
    const double y = positions[line.b].y - positions[line.a].y;
    const double length = vector_length(x, y);
    constexpr double share = 0.12;
    // Rows bend upwards, columns to the left, independent of the direction of the line.
    const bool to_the_left = x > 0 || (x == 0 && y > 0);
    return to_the_left ? share * length : -share * length;
  }
  return 0;
}

}  // namespace

std::optional<MapLayout> lay_out_grid(const Fabric& fabric, const std::vector<MapLine>& lines,
                                      MapBox box) {
  std::vector<MeshCoordinates> meshes;
  try {
    meshes = recognise_meshes(fabric);
  } catch (const Error&) {
    return std::nullopt;  // not a mesh; the reason is irrelevant here
  }
  if (meshes.size() != 1 || meshes[0].dimensions.empty()) return std::nullopt;
  const MeshCoordinates& mesh = meshes[0];
  const std::vector<MapPoint> direction = directions(mesh.dimensions, box);
  MapLayout layout;
  layout.kind = MapLayout::Kind::grid;
  layout.positions.resize(fabric.switch_count());
  std::vector<std::span<const std::uint32_t>> coordinates(fabric.switch_count());
  for (std::size_t i = 0; i < mesh.switches.size(); ++i) {
    const std::uint32_t s = mesh.switches[i].value();
    coordinates[s] = mesh.of(i);
    for (std::size_t d = 0; d < mesh.dimensions.size(); ++d) {
      layout.positions[s].x += direction[d].x * coordinates[s][d];
      layout.positions[s].y += direction[d].y * coordinates[s][d];
    }
  }
  for (const MapLine& line : lines) {
    layout.bulges.push_back(
        bulge(mesh, coordinates[line.a], coordinates[line.b], layout.positions, line));
  }
  return layout;
}

}  // namespace pssp
