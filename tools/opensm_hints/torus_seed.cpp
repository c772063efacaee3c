// torus-2QoS requires the sizes of the torus and one switch with its neighbors (opensm
// --torus_config FILE). Dimensions and coordinates are those that the engine meshdor finds in the
// cabling. It represents a ring of four as two dimensions of size two (the same graph); torus-2QoS
// supports at most three dimensions, so if there are more, such pairs become rings of four again.

#include "tools/opensm_hints/torus_seed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "routing/mesh/mesh_recognition.h"

namespace pssp {
namespace {

/// A dimension for torus-2QoS: the neighbors of the origin in it.
struct TorusDimension {
  std::uint32_t size = 1;
  bool ring = false;
  std::optional<SwitchId> plus, minus;
};

/// The switch at these coordinates.
SwitchId switch_at(const MeshCoordinates& mesh, const std::vector<std::uint32_t>& place) {
  for (std::size_t i = 0; i < mesh.switches.size(); ++i) {
    const auto here = mesh.of(i);
    if (std::equal(here.begin(), here.end(), place.begin())) return mesh.switches[i];
  }
  throw Error(ErrorKind::internal, "a switch of the recognized mesh is missing");
}

/// The mesh of the hosts: the only one with more than one switch.
MeshCoordinates only_mesh(const Fabric& fabric) {
  std::vector<MeshCoordinates> found;
  for (MeshCoordinates& mesh : recognise_meshes(fabric)) {
    if (mesh.switches.size() > 1) found.push_back(std::move(mesh));
  }
  if (found.size() != 1) {
    throw Error(ErrorKind::unsuitable_topology,
                fmt::format("the fabric has {} islands of more than one switch; torus-2QoS routes "
                            "only a single torus or mesh",
                            found.size()));
  }
  return std::move(found.front());
}

std::vector<TorusDimension> torus_dimensions(const MeshCoordinates& mesh) {
  const auto neighbour = [&](std::size_t dimension, std::uint32_t coordinate) {
    std::vector<std::uint32_t> place(mesh.dimensions.size(), 0);
    place[dimension] = coordinate;
    return switch_at(mesh, place);
  };
  const bool join_pairs = mesh.dimensions.size() > 3;
  std::vector<TorusDimension> result;
  std::optional<SwitchId> waiting;  // neighbor in a dimension of size two without a partner yet
  for (std::size_t d = 0; d < mesh.dimensions.size(); ++d) {
    const auto [size, ring] = mesh.dimensions[d];
    const SwitchId plus = neighbour(d, 1);
    if (join_pairs && size == 2) {
      if (waiting) {
        result.push_back({4, true, *waiting, plus});
        waiting.reset();
      } else {
        waiting = plus;
      }
      continue;
    }
    TorusDimension& added = result.emplace_back(TorusDimension{size, ring, plus, {}});
    if (ring) added.minus = neighbour(d, size - 1);
  }
  if (waiting) result.push_back({2, false, *waiting, {}});
  if (result.size() > 3) {
    throw Error(ErrorKind::unsuitable_topology,
                fmt::format("a mesh or torus of {} dimensions; torus-2QoS supports at most three",
                            result.size()));
  }
  return result;
}

/// Largest number of ports in one group of torus-2QoS: parallel links, or a switch's adapters and
/// port 0. Its default limit is 16.
std::size_t largest_port_group(const Fabric& fabric) {
  std::size_t largest = 16;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    largest = std::max(largest, fabric.end_ports_of(SwitchId(s)).size() + 1);
    std::vector<std::uint32_t> heads(fabric.channel_head().begin() + fabric.first_channel()[s],
                                     fabric.channel_head().begin() + fabric.first_channel()[s + 1]);
    std::sort(heads.begin(), heads.end());
    for (auto first = heads.begin(); first != heads.end();) {
      const auto last = std::upper_bound(first, heads.end(), *first);
      largest = std::max(largest, static_cast<std::size_t>(last - first));
      first = last;
    }
  }
  return largest;
}

}  // namespace

std::string torus_configuration(const Fabric& fabric) {
  const MeshCoordinates mesh = only_mesh(fabric);
  std::vector<TorusDimension> dimensions = torus_dimensions(mesh);
  dimensions.resize(3);
  std::string sizes, links;
  const std::uint64_t origin =
      fabric.switch_at(switch_at(mesh, std::vector<std::uint32_t>(mesh.dimensions.size(), 0))).guid;
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    const TorusDimension& dimension = dimensions[d];
    sizes += fmt::format(" {}{}", dimension.size, dimension.ring ? "T" : "M");
    const auto link = [&](char direction, const std::optional<SwitchId>& to) {
      if (!to) return;
      links += fmt::format("{}{}_link {:#x} {:#x}\n", "xyz"[d], direction, origin,
                           fabric.switch_at(*to).guid);
    };
    link('p', dimension.plus);
    link('m', dimension.minus);
  }
  return fmt::format("torus{}\n{}portgroup_max_ports {}\n", sizes, links,
                     largest_port_group(fabric));
}

}  // namespace pssp
