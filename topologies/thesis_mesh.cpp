// The thesis numbers the links of a switch by its position: which boundaries of the mesh it lies
// on. For each position, the tables below list the directions in the order of their ports. A
// direction is a letter, in the axes of the thesis: X and x are +x and -x (right, left), Y and y
// are +y and -y (up, down), Z and z are +z and -z (away from the viewer, towards the viewer).
//
// Subscripts: two-dimensional switches are SW<row><column>. In three dimensions, the first
// subscript counts along -y, the second along +x and the third along +z (section 3.3.3, Naming,
// together with Table 3.1). Sections 3.3.2 and 3.3.3 number up before down but left before right;
// there is no general rule.

#include "topologies/thesis_mesh.h"

#include <fmt/format.h>

#include <array>

#include "base/error.h"

namespace pssp {
namespace {

/// Position along one dimension: at the smallest subscript, inside, or at the largest subscript.
enum Position : unsigned { first, inner, last };

using Row = std::array<std::string_view, 3>;
using Plane = std::array<Row, 3>;

// Section 3.3.1, Connection: [first subscript][second subscript]. The section gives no ports for
// the corners. They follow from the routing script in appendix A.2 and agree with Table 3.4. The
// thesis describes only two-dimensional tori, where every switch is numbered as one in the middle
// of a mesh.
constexpr Plane mesh_2d{Row{"yX", "xXy", "xy"},     //
                        Row{"YXy", "xXYy", "xYy"},  //
                        Row{"YX", "xXY", "xY"}};

// Section 3.3.3 and Tables 3.1 (three letters), 3.2 (four) and 3.3 (five): [first][second][third
// subscript]. Tables 3.2 and 3.3 follow no general rule. They contradict neither each other nor the
// rows of Table 3.5, as far as these are legible.
constexpr std::array<Plane, 3> mesh_3d{
    Plane{Row{"yXZ", "yXzZ", "yXz"},  // top xz-plane
          Row{"xXyZ", "xXzZy", "xXzy"}, Row{"xyZ", "xyzZ", "xyz"}},
    Plane{Row{"YXyZ", "YyzZX", "YyzX"},  // left edge, plane, edge
          Row{"xXYyZ", "xXZzYy", "YXxyz"}, Row{"xYyZ", "zYyZx", "zYyx"}},
    Plane{Row{"YXZ", "YXzZ", "YXz"},  // bottom xz-plane
          Row{"xXYZ", "xXzZY", "YxzX"}, Row{"xYZ", "ZYzx", "xYz"}}};

Position position(unsigned coordinate, unsigned size) {
  if (coordinate == 0) return first;
  return coordinate + 1 == size ? last : inner;
}

/// Directions of the links of a switch, in the order of their ports.
std::string_view directions(const MeshParameters& mesh, std::span<const unsigned> at) {
  if (mesh.wraps) return mesh_2d[inner][inner];
  const Position p0 = position(at[0], mesh.sizes[0]);
  const Position p1 = position(at[1], mesh.sizes[1]);
  return at.size() == 2 ? mesh_2d[p0][p1] : mesh_3d[p0][p1][position(at[2], mesh.sizes[2])];
}

}  // namespace

void require_thesis_mesh(const MeshParameters& mesh) {
  const std::size_t dimensions = mesh.sizes.size();
  bool fits = (dimensions == 2 || (dimensions == 3 && !mesh.wraps)) && mesh.hosts <= 9 &&
              mesh.parallel == 1;
  // A torus dimension of two switches would leave ports without a cable, which the thesis forbids.
  for (const unsigned size : mesh.sizes) fits = fits && size >= (mesh.wraps ? 3 : 2) && size <= 9;
  if (fits) return;
  throw Error(ErrorKind::usage,
              "the thesis numbers the ports of 2- and 3-dimensional meshes and 2-dimensional tori "
              "with 2 to 9 switches (torus: 3 to 9) along each dimension, up to 9 hosts per switch "
              "and single cables; choose such a topology, or regular ports");
}

std::string thesis_name(std::string_view prefix, std::span<const unsigned> coordinates) {
  std::string name(prefix);
  for (const unsigned coordinate : coordinates) name += std::to_string(coordinate + 1);
  return name;
}

unsigned thesis_link_count(const MeshParameters& mesh, std::span<const unsigned> coordinates) {
  return static_cast<unsigned>(directions(mesh, coordinates).size());
}

unsigned thesis_link_index(const MeshParameters& mesh, std::span<const unsigned> coordinates,
                           unsigned dimension, bool plus) {
  constexpr std::string_view towards_larger = "yXZ";
  constexpr std::string_view towards_smaller = "Yxz";
  const std::string_view order = directions(mesh, coordinates);
  return static_cast<unsigned>(order.find((plus ? towards_larger : towards_smaller)[dimension]));
}

}  // namespace pssp
