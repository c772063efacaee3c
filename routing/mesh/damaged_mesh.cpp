// The remaining cuts and dimensions of a damaged mesh (mesh_cuts.h) determine the relative
// positions of its switches. A link of a dimension leads one step up or down in this dimension,
// which gives the coordinates of all switches. If two paths to one switch give different
// coordinates, the difference is a multiple of the size of a ring, and the greatest common divisor
// of all differences is the size. Switches without links of known dimensions get a free position
// next to their neighbors, starting with the switch that has the fewest choices; the search
// backtracks from dead ends.
//
// The result does not depend on this reasoning being right, because the end result is checked: each
// switch must have its own position, and each link must connect neighbors.

#include "routing/mesh/damaged_mesh.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/no_index.h"
#include "routing/mesh/island.h"
#include "routing/mesh/mesh_cuts.h"

namespace pssp {
namespace {

/// Assigns positions to the switches of an island.
class Placement {
 public:
  /// `steps`: by arc, along `dimensions` dimensions.
  Placement(const Island& island, std::vector<ArcStep> steps, std::size_t dimensions)
      : island_(island), steps_(std::move(steps)), axes_(dimensions), place_(island.size()) {}

  /// Nothing if not all switches get a position.
  std::optional<MeshCoordinates> find() {
    if (axes_.empty() || !place_most() || !find_rings() || !occupy() || !place_the_rest()) {
      return std::nullopt;
    }
    close_rows();
    count_from_zero();
    return coordinates();
  }

 private:
  using Coordinates = std::vector<int>;
  struct Axis {
    int size = 0;
    bool is_ring = false;
    int least = 0;  // coordinate
  };

  /// Starts at one of the switches that links of known dimensions connect to more than half of the
  /// island; false if there are none.
  bool place_most() {
    std::vector<std::uint8_t> seen(island_.size(), 0);
    for (std::uint32_t start = 0; start < island_.size(); ++start) {
      if (seen[start] != 0) continue;
      const std::size_t placed = place_from(start);
      if (2 * placed > island_.size()) return true;
      for (std::uint32_t s = 0; s < island_.size(); ++s) {
        if (!place_[s].empty()) seen[s] = 1;
        place_[s].clear();
      }
    }
    return false;
  }

  std::size_t place_from(std::uint32_t start) {
    place_[start].assign(axes_.size(), 0);
    std::vector<std::uint32_t> placed(1, start);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      const std::uint32_t s = placed[i];
      for (std::uint32_t a = island_.first[s]; a < island_.first[s + 1]; ++a) {
        const std::uint32_t to = island_.head[a];
        if (steps_[a].dimension == no_index || !place_[to].empty()) continue;
        place_[to] = place_[s];
        place_[to][steps_[a].dimension] += steps_[a].by;
        placed.push_back(to);
      }
    }
    return placed.size();
  }

  /// Finds which dimensions are rings, and their sizes; false if a size is too small.
  bool find_rings() {
    std::vector<int> round(axes_.size(), 0);
    for (std::uint32_t a = 0; a < steps_.size(); ++a) {
      const Coordinates& from = place_[island_.tail[a]];
      const Coordinates& to = place_[island_.head[a]];
      if (steps_[a].dimension == no_index || from.empty() || to.empty()) continue;
      for (std::uint32_t d = 0; d < axes_.size(); ++d) {
        const int step = d == steps_[a].dimension ? steps_[a].by : 0;
        round[d] = std::gcd(round[d], std::abs(from[d] + step - to[d]));
      }
    }
    for (std::uint32_t d = 0; d < axes_.size(); ++d) {
      if (round[d] != 0) axes_[d] = {round[d], true};
      if (axes_[d].is_ring && axes_[d].size < 3) return false;
    }
    for (Coordinates& each : place_) each = into_round(std::move(each));
    return true;
  }

  Coordinates into_round(Coordinates at) const {
    for (std::uint32_t d = 0; d < at.size(); ++d) {
      const int size = axes_[d].size;
      if (axes_[d].is_ring) at[d] = (at[d] % size + size) % size;
    }
    return at;
  }

  /// False if two switches have the same position.
  bool occupy() {
    for (const Coordinates& each : place_) {
      if (!each.empty() && !taken_.insert(each).second) return false;
    }
    return true;
  }

  /// Backtracks from dead ends, up to a limit.
  bool place_the_rest() {
    constexpr std::uint32_t most_tries = 4096;
    measure_rows();
    const Next next = choose_next();
    if (next.at == no_index) return true;
    for (const Coordinates& each : next.positions) {
      if (++tries_ > most_tries) return false;
      place_[next.at] = each;
      taken_.insert(each);
      if (place_the_rest()) return true;
      taken_.erase(each);
      place_[next.at].clear();
    }
    return false;
  }

  struct Next {
    std::uint32_t at = no_index;         // none: all switches have a position
    std::vector<Coordinates> positions;  // in descending order of likelihood
  };

  /// The switch with the fewest free positions.
  Next choose_next() const {
    Next best;
    for (std::uint32_t s = 0; s < island_.size(); ++s) {
      if (!place_[s].empty()) continue;
      if (best.at == no_index) best.at = s;  // at least one switch has no position yet
      if (!has_placed_neighbour(s)) continue;
      std::vector<Coordinates> positions = free_positions(s);
      if (positions.empty()) return {s, {}};
      if (best.positions.empty() || positions.size() < best.positions.size())
        best = {s, std::move(positions)};
    }
    return best;
  }

  bool has_placed_neighbour(std::uint32_t s) const {
    return std::ranges::any_of(island_.neighbours(s),
                               [&](std::uint32_t to) { return !place_[to].empty(); });
  }

  /// Positions next to all neighbors; positions inside the box come first.
  std::vector<Coordinates> free_positions(std::uint32_t s) const {
    const auto neighbours = island_.neighbours(s);
    const auto beside =
        std::ranges::find_if(neighbours, [&](std::uint32_t to) { return !place_[to].empty(); });
    std::vector<Coordinates> inside, outside;
    for (std::uint32_t d = 0; d < axes_.size(); ++d) {
      for (const int step : {-1, 1}) {
        Coordinates at = after(place_[*beside], d, step);
        if (taken_.contains(at) || !is_beside_all(s, at)) continue;
        (is_inside(at) ? inside : outside).push_back(std::move(at));
      }
    }
    inside.insert(inside.end(), outside.begin(), outside.end());
    return inside;
  }

  Coordinates after(Coordinates at, std::uint32_t d, int step) const {
    at[d] += step;
    return into_round(std::move(at));
  }

  bool is_beside_all(std::uint32_t s, const Coordinates& at) const {
    return std::ranges::all_of(island_.neighbours(s), [&](std::uint32_t to) {
      return place_[to].empty() || are_beside(at, place_[to]);
    });
  }

  bool are_beside(const Coordinates& a, const Coordinates& b) const {
    for (std::uint32_t d = 0; d < axes_.size(); ++d) {
      if (after(a, d, 1) == b || after(a, d, -1) == b) return true;
    }
    return false;
  }

  bool is_inside(const Coordinates& at) const {
    for (std::uint32_t d = 0; d < axes_.size(); ++d) {
      if (at[d] < axes_[d].least || at[d] >= axes_[d].least + axes_[d].size) return false;
    }
    return true;
  }

  /// The current range of coordinates of each dimension.
  void measure_rows() {
    for (std::uint32_t d = 0; d < axes_.size(); ++d) {
      if (axes_[d].is_ring) continue;
      int least = std::numeric_limits<int>::max();
      int most = std::numeric_limits<int>::min();
      for (const Coordinates& each : taken_) {
        least = std::min(least, each[d]);
        most = std::max(most, each[d]);
      }
      axes_[d] = {most - least + 1, false, least};
    }
  }

  /// A dimension is also a ring if a link of unknown dimension closes it.
  void close_rows() {
    for (std::uint32_t a = 0; a < steps_.size(); ++a) {
      const Coordinates& from = place_[island_.tail[a]];
      const Coordinates& to = place_[island_.head[a]];
      for (std::uint32_t d = 0; d < axes_.size(); ++d) {
        const bool is_round = axes_[d].size > 2 && to[d] - from[d] == axes_[d].size - 1;
        const Coordinates closed = is_round ? after(from, d, axes_[d].size - 1) : to;
        if (is_round && !axes_[d].is_ring && closed == to) axes_[d].is_ring = true;
      }
    }
  }

  /// Numbers coordinates as recognise_meshes() does: in a ring, from the first switch towards the
  /// lower of its neighboring layers; otherwise, from the end whose layer contains the lower
  /// switch.
  void count_from_zero() {
    for (std::uint32_t d = 0; d < axes_.size(); ++d) {
      const auto size = static_cast<std::size_t>(axes_[d].size);
      const int origin = axes_[d].is_ring ? place_.front()[d] : axes_[d].least;
      std::vector<std::uint32_t> lowest(size, no_index);
      for (std::uint32_t s = island_.size(); s > 0; --s) {
        int& at = place_[s - 1][d];
        at -= origin;
        if (axes_[d].is_ring) at = (at + axes_[d].size) % axes_[d].size;
        lowest[static_cast<std::size_t>(at)] = s - 1;
      }
      const bool is_turned = lowest.back() < lowest[axes_[d].is_ring ? 1 : 0];
      if (!is_turned) continue;
      for (Coordinates& each : place_) {
        each[d] = axes_[d].size - 1 - each[d];
        if (axes_[d].is_ring) each[d] = (each[d] + 1) % axes_[d].size;
      }
    }
  }

  /// Sorts dimensions by descending size, as recognise_meshes() does.
  MeshCoordinates coordinates() const {
    std::vector<std::uint32_t> order(axes_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      return axes_[a].size > axes_[b].size;
    });
    MeshCoordinates mesh;
    mesh.switches = island_.switches;
    for (const std::uint32_t d : order) {
      mesh.dimensions.push_back({static_cast<std::uint32_t>(axes_[d].size), axes_[d].is_ring});
    }
    for (const Coordinates& each : place_) {
      for (const std::uint32_t d : order) {
        mesh.values.push_back(static_cast<std::uint32_t>(each[d]));
      }
    }
    return mesh;
  }

  const Island& island_;
  std::vector<ArcStep> steps_;
  std::vector<Axis> axes_;
  std::vector<Coordinates> place_;  // by switch of the island; empty: no position yet
  std::set<Coordinates> taken_;
  std::uint32_t tries_ = 0;
};

bool fits(const Fabric& fabric, const MeshCoordinates& mesh) {
  try {
    require_damaged_mesh(fabric, mesh, "coordinates found from the cabling");
    return true;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::unsuitable_topology) throw;
    return false;
  }
}

std::optional<MeshCoordinates> recognise_damaged(const Fabric& fabric, const Island& island) {
  // The search for squares would take too long for a switch with more neighbors.
  for (std::uint32_t s = 0; s < island.size(); ++s) {
    if (island.degree(s) > 2 * largest_degree(island.size())) return std::nullopt;
  }
  if (island.size() == 1) return MeshCoordinates{island.switches, {}, {}};
  for (DimensionGuess& guess : guess_dimensions(island)) {
    std::optional<MeshCoordinates> mesh =
        Placement(island, std::move(guess.steps), guess.dimensions).find();
    if (mesh && fits(fabric, *mesh)) return mesh;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<MeshCoordinates>> recognise_damaged_meshes(const Fabric& fabric) {
  std::vector<MeshCoordinates> meshes;
  std::vector<std::uint32_t> index(fabric.switch_count());
  for (std::vector<SwitchId>& switches : connected_components(fabric)) {
    std::optional<MeshCoordinates> mesh =
        recognise_damaged(fabric, make_island(fabric, std::move(switches), index));
    if (!mesh) return std::nullopt;
    meshes.push_back(*std::move(mesh));
  }
  return meshes;
}

}  // namespace pssp
