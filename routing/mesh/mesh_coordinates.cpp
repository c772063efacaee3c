// A mesh is checked locally: the coordinates of each switch determine its neighbors, and each of
// its links must lead to one of these neighbors. If this is true for all switches and no two
// switches have the same position, every position of the box has exactly one switch. The reason is
// that steps to neighbors lead from any switch to all positions.

#include "routing/mesh/mesh_coordinates.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/error.h"

namespace pssp {
namespace {

constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

std::string place(std::span<const std::uint32_t> coordinates) {
  std::string text = "(";
  for (const std::uint32_t each : coordinates) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(each);
  }
  return text + ")";
}

/// The coordinates after one step, or nothing at the end of a dimension that is not a ring.
std::optional<std::vector<std::uint32_t>> place_after(std::span<const MeshDimension> dimensions,
                                                      std::span<const std::uint32_t> from,
                                                      MeshStep step) {
  const auto [size, ring] = dimensions[step.dimension];
  std::vector<std::uint32_t> to(from.begin(), from.end());
  std::uint32_t& coordinate = to[step.dimension];
  const bool at_end = step.up ? coordinate + 1 == size : coordinate == 0;
  if (at_end && !ring) return std::nullopt;
  coordinate = at_end ? (step.up ? 0 : size - 1) : (step.up ? coordinate + 1 : coordinate - 1);
  return to;
}

/// Compares the cabling of each switch with the neighbors that its coordinates require.
class MeshCheck {
 public:
  MeshCheck(const Fabric& fabric, const MeshCoordinates& mesh, const std::string& origin)
      : fabric_(fabric), mesh_(mesh), origin_(origin), index_(fabric.switch_count(), nowhere) {
    for (std::uint32_t i = 0; i < mesh.switches.size(); ++i) index_[mesh.switches[i].value()] = i;
    sort_positions();
  }

  void run() const {
    for (std::uint32_t i = 0; i < mesh_.switches.size(); ++i) check_position(i);
    for (std::uint32_t i = 0; i < mesh_.switches.size(); ++i) {
      const std::vector<bool> linked = links_of(i);
      for (std::uint32_t step = 0; step < linked.size(); ++step) {
        if (!linked[step]) require_no_neighbour(i, {step / 2, step % 2 != 0});
      }
    }
  }

  MeshGaps run_with_gaps() const {
    constexpr double most_missing = 0.25;
    std::size_t ends = 0;
    for (std::uint32_t i = 0; i < mesh_.switches.size(); ++i) check_position(i);
    for (std::uint32_t i = 0; i < mesh_.switches.size(); ++i) {
      const std::vector<bool> linked = links_of(i);
      ends += static_cast<std::size_t>(std::count(linked.begin(), linked.end(), true));
    }
    double positions = 1;
    for (const MeshDimension& each : mesh_.dimensions) positions *= each.size;
    double links = 0;
    for (const auto& [size, ring] : mesh_.dimensions) {
      links += positions / size * (ring ? size : size - 1);
    }
    const double missing = links - static_cast<double>(ends) / 2;
    // A dimension that no link closes is not a ring. The first gap gives the error message.
    if (missing > most_missing * links || !close_rings()) run();
    return {static_cast<std::size_t>(positions) - mesh_.switches.size(),
            static_cast<std::size_t>(missing)};
  }

 private:
  void sort_positions() {
    by_position_.resize(mesh_.switches.size());
    std::iota(by_position_.begin(), by_position_.end(), 0U);
    std::sort(by_position_.begin(), by_position_.end(), [this](std::uint32_t a, std::uint32_t b) {
      const auto order = compare(mesh_.of(a), mesh_.of(b));
      return order != 0 ? order < 0 : a < b;
    });
  }

  static int compare(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin());
    if (in_a == a.end()) return 0;
    return *in_a < *in_b ? -1 : 1;
  }

  /// The first switch at a position, or `nowhere`.
  std::uint32_t find(std::span<const std::uint32_t> coordinates) const {
    const auto found = std::lower_bound(by_position_.begin(), by_position_.end(), coordinates,
                                        [this](std::uint32_t i, std::span<const std::uint32_t> at) {
                                          return compare(mesh_.of(i), at) < 0;
                                        });
    if (found == by_position_.end() || compare(mesh_.of(*found), coordinates) != 0) return nowhere;
    return *found;
  }

  void check_position(std::uint32_t i) const {
    const std::uint32_t first = find(mesh_.of(i));
    if (first != i) refuse(i, fmt::format("{} has the same coordinates", label(first)));
  }

  /// Whether a link closes each dimension that should be a ring, if such a link is possible.
  bool close_rings() const {
    std::vector<std::uint8_t> could(mesh_.dimensions.size(), 0), does(mesh_.dimensions.size(), 0);
    for (std::uint32_t i = 0; i < mesh_.switches.size(); ++i) {
      const std::vector<bool> linked = links_of(i);
      for (std::uint32_t d = 0; d < mesh_.dimensions.size(); ++d) {
        if (!mesh_.dimensions[d].ring || mesh_.of(i)[d] != 0) continue;
        if (find(*place_after(mesh_.dimensions, mesh_.of(i), {d, false})) != nowhere) could[d] = 1;
        if (linked[std::size_t{2} * d]) does[d] = 1;
      }
    }
    return could == does;
  }

  /// For each dimension, whether a link leads down and whether a link leads up.
  std::vector<bool> links_of(std::uint32_t i) const {
    const std::uint32_t s = mesh_.switches[i].value();
    const std::size_t dimensions = mesh_.dimensions.size();
    std::vector<bool> linked(dimensions * 2, false);
    const auto first = fabric_.first_channel();
    for (std::uint32_t c = first[s]; c < first[s + 1]; ++c) {
      const std::uint32_t head = fabric_.channel_head()[c];
      const std::uint32_t to = index_[head];
      if (to == nowhere) {
        refuse(i, fmt::format("it is cabled to {}, which has no coordinates",
                              fabric_.label(SwitchId(head))));
      }
      const auto step = mesh_step(mesh_.dimensions, mesh_.of(i), mesh_.of(to));
      if (!step) {
        refuse(i, fmt::format("port {} is cabled to {} at {}, which is not a neighbor",
                              fabric_.channel_out_port()[c], label(to), place(mesh_.of(to))));
      }
      linked[step->dimension * 2 + (step->up ? 1 : 0)] = true;
    }
    return linked;
  }

  void require_no_neighbour(std::uint32_t i, MeshStep step) const {
    const auto to = place_after(mesh_.dimensions, mesh_.of(i), step);
    if (!to) return;
    const std::uint32_t neighbour = find(*to);
    if (neighbour == nowhere)
      refuse(i, fmt::format("there is no neighbor switch at {}", place(*to)));
    refuse(i,
           fmt::format("it is not cabled to its neighbor {} at {}", label(neighbour), place(*to)));
  }

  std::string label(std::uint32_t i) const { return fabric_.label(mesh_.switches[i]); }

  [[noreturn]] void refuse(std::uint32_t i, const std::string& reason) const {
    throw Error(
        ErrorKind::unsuitable_topology,
        fmt::format("the fabric is not a mesh or torus: switch {} at {} ({}) does not fit: {}",
                    label(i), place(mesh_.of(i)), origin_, reason));
  }

  const Fabric& fabric_;
  const MeshCoordinates& mesh_;
  const std::string& origin_;
  std::vector<std::uint32_t> index_;        // by SwitchId: position in mesh.switches
  std::vector<std::uint32_t> by_position_;  // indices into mesh.switches, ascending by coordinates
};

/// Builds the mesh of a coordinates file.
class FileMesh {
 public:
  FileMesh(const Fabric& fabric, const CoordinatesFile& file) : fabric_(fabric), file_(file) {
    place_switches();
    for (std::uint32_t d = 0; d < file.dimension_count; ++d) add_dimension(d);
    require_damaged_mesh(fabric, mesh_, "coordinates of " + file.name);
  }

  std::vector<MeshCoordinates> with_lone_switches() && {
    std::vector<MeshCoordinates> meshes;
    meshes.push_back(std::move(mesh_));
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (index_[s] == nowhere) meshes.push_back({{SwitchId(s)}, {}, {}});
    }
    return meshes;
  }

 private:
  void place_switches() {
    const std::vector<SwitchId> owners = match_coordinates(file_, fabric_);
    index_.assign(fabric_.switch_count(), nowhere);
    for (const SwitchId owner : owners) {
      if (owner.valid()) index_[owner.value()] = 0;
    }
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (index_[s] == nowhere) continue;
      index_[s] = static_cast<std::uint32_t>(mesh_.switches.size());
      mesh_.switches.emplace_back(s);
    }
    mesh_.values.resize(mesh_.switches.size() * file_.dimension_count);
    for (std::size_t line = 0; line < owners.size(); ++line) {
      if (!owners[line].valid()) continue;
      for (std::uint32_t d = 0; d < file_.dimension_count; ++d) {
        coordinate(index_[owners[line].value()], d) = file_.switches[line].coordinates[d];
      }
    }
  }

  /// Shifts the coordinates so that they start at 0, and finds the size and the type of each
  /// dimension.
  void add_dimension(std::uint32_t d) {
    std::uint32_t lowest = file_.switches.front().coordinates[d];
    std::uint32_t highest = lowest;
    for (const StatedCoordinates& each : file_.switches) {
      lowest = std::min(lowest, each.coordinates[d]);
      highest = std::max(highest, each.coordinates[d]);
    }
    for (std::uint32_t i = 0; i < mesh_.switches.size(); ++i) coordinate(i, d) -= lowest;
    const std::uint32_t size = highest - lowest + 1;
    const bool stated = !file_.dimensions.empty();
    if (stated && file_.dimensions[d].size != size) {
      throw Error(
          ErrorKind::unreadable_input,
          fmt::format("{}:{}: dimension sizes do not fit: size {} is given for dimension {}, but "
                      "the coordinates of the switches range from {} to {}",
                      file_.name, file_.header_line, file_.dimensions[d].size, d, lowest, highest));
    }
    const bool ring = stated ? file_.dimensions[d].torus : is_closed(d, size - 1);
    mesh_.dimensions.push_back({size, size >= 3 && ring});
  }

  /// Whether a link connects the two ends of the dimension in one row. A switch with wrong
  /// coordinates does not close a ring.
  bool is_closed(std::uint32_t d, std::uint32_t last) {
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
      const std::uint32_t tail = index_[fabric_.channel_tail()[c]];
      const std::uint32_t head = index_[fabric_.channel_head()[c]];
      if (coordinate(tail, d) != 0 || coordinate(head, d) != last) continue;
      bool same_row = true;
      for (std::uint32_t other = 0; other < file_.dimension_count; ++other) {
        same_row = same_row && (other == d || coordinate(tail, other) == coordinate(head, other));
      }
      if (same_row) return true;
    }
    return false;
  }

  std::uint32_t& coordinate(std::uint32_t i, std::uint32_t d) {
    return mesh_.values[i * file_.dimension_count + d];
  }

  const Fabric& fabric_;
  const CoordinatesFile& file_;
  MeshCoordinates mesh_;
  std::vector<std::uint32_t> index_;  // by SwitchId: position in mesh_.switches
};

}  // namespace

std::optional<MeshStep> mesh_step(std::span<const MeshDimension> dimensions,
                                  std::span<const std::uint32_t> from,
                                  std::span<const std::uint32_t> to) {
  std::optional<MeshStep> step;
  for (std::uint32_t d = 0; d < dimensions.size(); ++d) {
    if (from[d] == to[d]) continue;
    if (step) return std::nullopt;
    const bool up = from[d] < to[d];
    const std::uint32_t distance = up ? to[d] - from[d] : from[d] - to[d];
    const bool round = dimensions[d].ring && distance + 1 == dimensions[d].size;
    if (distance != 1 && !round) return std::nullopt;
    step = MeshStep{d, distance == 1 ? up : !up};
  }
  return step;
}

void require_mesh(const Fabric& fabric, const MeshCoordinates& mesh, const std::string& origin) {
  MeshCheck(fabric, mesh, origin).run();
}

MeshGaps require_damaged_mesh(const Fabric& fabric, const MeshCoordinates& mesh,
                              const std::string& origin) {
  return MeshCheck(fabric, mesh, origin).run_with_gaps();
}

std::vector<MeshCoordinates> meshes_from_file(const Fabric& fabric, const CoordinatesFile& file) {
  return FileMesh(fabric, file).with_lone_switches();
}

MeshCoordinates reorder_dimensions(const MeshCoordinates& mesh,
                                   std::span<const std::uint32_t> order) {
  MeshCoordinates reordered;
  reordered.switches = mesh.switches;
  reordered.values.reserve(mesh.values.size());
  for (const std::uint32_t d : order) reordered.dimensions.push_back(mesh.dimensions[d]);
  for (std::size_t i = 0; i < mesh.switches.size(); ++i) {
    for (const std::uint32_t d : order) reordered.values.push_back(mesh.of(i)[d]);
  }
  return reordered;
}

}  // namespace pssp
