// A mesh or torus is a Cartesian product of paths and rings, and its dimensions are the factors of
// this product. Local rules decide whether two links belong to the same dimension (SquareSearch).
// The classes of links that these rules generate are the dimensions. After the links of all other
// dimensions are contracted, only the path or ring remains, along which the coordinates are
// counted. Finally, the cabling is compared with the coordinates (require_mesh), so the result does
// not depend on these rules alone.
//
// Difference from the papers: they factorize any graph into prime factors. Here, the factors must
// be paths and rings, which permits the local test and a bound on the degree.

#include "routing/mesh/mesh_recognition.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <tuple>

#include "base/error.h"
#include "base/no_index.h"
#include "routing/mesh/island.h"

namespace pssp {
namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw Error(ErrorKind::unsuitable_topology, "the fabric is not a mesh or torus: " + reason);
}

/// Limits the search for squares. Twice the limit is accepted, because the squares next to a fault
/// in a small mesh explain it better.
void require_low_degree(const Fabric& fabric, const Island& island) {
  const std::uint32_t limit = largest_degree(island.size());
  for (std::uint32_t s = 0; s < island.size(); ++s) {
    if (island.degree(s) <= 2 * limit) continue;
    refuse(
        fmt::format("switch {} does not fit: it is cabled to {} other switches; in a mesh or torus "
                    "of {} switches, a switch has at most {} neighbors; use another engine",
                    fabric.label(island.switches[s]), island.degree(s), island.size(), limit));
  }
}

/// Two links of switch `at` that are not sides of a square.
struct Line {
  std::uint32_t link_a, link_b;
  std::uint32_t at;
};

/// Finds the squares, and the pairs of links in line, of an island. Two rules, which need only the
/// neighbors of neighbors, decide whether links belong to the same dimension:
/// - Two links of one switch that belong to different dimensions are sides of exactly one square,
///   and opposite sides of a square belong to the same dimension.
/// - Two links of one switch that belong to the same dimension are not sides of a square: their
///   ends have no common neighbor except the switch. This is true for paths, and for rings of size
///   three and of size five or more; a ring of four is the product of two paths. Such links are in
///   line, and no link is in line with two other links.
class SquareSearch {
 public:
  explicit SquareSearch(const Island& island)
      : parallel(island.link_count),
        island_(island),
        paths_(island.size()),
        in_line_(island.head.size(), 0),
        opposite_(island.head.size(), no_index),
        congested_(island.size(), 0) {
    for (std::uint32_t s = 0; s < island.size(); ++s) probe_from(s);
  }

  /// The switch with the most contradictions to a mesh (the first of several); `none` if there are
  /// no contradictions.
  std::uint32_t most_out_of_order() const {
    std::vector<std::uint32_t> contradictions = congested_;
    for (std::uint32_t a = 0; a < in_line_.size(); ++a) {
      if (in_line_[a] > 1) ++contradictions[island_.tail[a]];
    }
    const auto worst = std::max_element(contradictions.begin(), contradictions.end());
    if (*worst == 0) return no_index;
    return static_cast<std::uint32_t>(worst - contradictions.begin());
  }

  /// Sets of parallel links: opposite sides of squares.
  DisjointSets parallel;

  /// All pairs of links in line, if no switch is defective.
  std::vector<Line> lines() const {
    std::vector<Line> lines;
    for (std::uint32_t a = 0; a < opposite_.size(); ++a) {
      const std::uint32_t b = opposite_[a];
      if (b != no_index && a < b)
        lines.push_back({island_.link[a], island_.link[b], island_.tail[a]});
    }
    return lines;
  }

 private:
  void probe_from(std::uint32_t s) {
    reached_.clear();
    for (std::uint32_t a = island_.first[s]; a < island_.first[s + 1]; ++a) {
      const std::uint32_t via = island_.head[a];
      for (std::uint32_t b = island_.first[via]; b < island_.first[via + 1]; ++b) {
        if (b != island_.reverse[a]) add_path(a, b);
      }
    }
    for (const std::uint32_t far : reached_) {
      evaluate(s, far);
      paths_[far].count = 0;
    }
  }

  void add_path(std::uint32_t a, std::uint32_t b) {
    TwoHops& paths = paths_[island_.head[b]];
    if (paths.count == 0) reached_.push_back(island_.head[b]);
    paths.add(a, b);
  }

  void evaluate(std::uint32_t s, std::uint32_t far) {
    const auto& [count, first, second] = paths_[far];
    const auto neighbours = island_.neighbours(s);
    const bool adjacent = std::binary_search(neighbours.begin(), neighbours.end(), far);
    if (count == 1) {
      const std::uint32_t back = island_.reverse[first[0]];
      ++in_line_[back];
      opposite_[back] = second[0];
    } else if (count == 2 && !adjacent) {
      parallel.unite(island_.link[first[0]], island_.link[second[1]]);
      parallel.unite(island_.link[first[1]], island_.link[second[0]]);
    } else {
      ++congested_[s];
    }
  }

  const Island& island_;
  std::vector<TwoHops> paths_;  // by switch; reset after each use
  std::vector<std::uint32_t> reached_;
  std::vector<std::uint32_t> in_line_;   // per arc: number of links of its tail in line with it
  std::vector<std::uint32_t> opposite_;  // per arc: the last of these links
  // Per switch: number of switches that have too many neighbors in common with it.
  std::vector<std::uint32_t> congested_;
};

/// Describes the fault at a switch that SquareSearch found to be defective.
class Disorder {
 public:
  Disorder(const Fabric& fabric, const Island& island, std::uint32_t s)
      : fabric_(fabric), island_(island), switch_(s) {}

  [[noreturn]] void report() const {
    const std::string where = fmt::format("switch {} does not fit: ", label(switch_));
    const auto neighbours = island_.neighbours(switch_);
    std::vector<std::uint32_t> most;  // in line with one neighbor, which comes first
    for (const std::uint32_t a : neighbours) {
      std::vector<std::uint32_t> line{a};
      for (const std::uint32_t b : neighbours) {
        if (a != b && common_neighbours(a, b).size() == 1) line.push_back(b);
      }
      if (line.size() > most.size()) most = line;
    }
    if (most.size() > 2) {
      refuse(fmt::format(
          "{}its neighbors {} and {}, and {} and {}, are not joined by a second switch. Around a "
          "switch of a mesh or torus, each neighbor has one opposite neighbor and is joined with "
          "all others by a second switch; look for a missing, surplus or misplaced cable here",
          where, label(most[0]), label(most[1]), label(most[0]), label(most[2])));
    }
    report_hot_spot(where);
  }

 private:
  [[noreturn]] void report_hot_spot(const std::string& where) const {
    for (std::uint32_t far = 0; far < island_.size(); ++far) {
      const auto common = common_neighbours(switch_, far);
      const auto neighbours = island_.neighbours(switch_);
      const bool adjacent = std::binary_search(neighbours.begin(), neighbours.end(), far);
      if (far == switch_ || common.size() <= (adjacent ? 1U : 2U)) continue;
      std::vector<std::string> names;
      names.reserve(common.size());
      for (const std::uint32_t each : common) names.push_back(label(each));
      refuse(
          fmt::format("{}it has {} neighbors in common with {}{} ({}); in a mesh or torus at most "
                      "{}; use another engine",
                      where, common.size(), label(far), adjacent ? ", its neighbor" : "",
                      fmt::join(names, ", "), adjacent ? 1 : 2));
    }
    throw Error(ErrorKind::internal, where + "no reason found");
  }

  std::vector<std::uint32_t> common_neighbours(std::uint32_t a, std::uint32_t b) const {
    const auto of_a = island_.neighbours(a);
    const auto of_b = island_.neighbours(b);
    std::vector<std::uint32_t> common;
    std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                          std::back_inserter(common));
    return common;
  }

  std::string label(std::uint32_t s) const { return fabric_.label(island_.switches[s]); }

  const Fabric& fabric_;
  const Island& island_;
  std::uint32_t switch_;
};

/// Joins parallel links, and links in line, until each set is a dimension. Two sets must not be
/// joined if a switch would have more than two links in one dimension; the switch at which they
/// meet in line is then defective. The joins with the most such switches come first: joins of a
/// real mesh occur along a whole row or plane, false joins only next to a fault.
class DimensionSearch {
 public:
  DimensionSearch(const Fabric& fabric, const Island& island, SquareSearch& squares)
      : fabric_(fabric), island_(island), sets_(squares.parallel), members_(island.link_count) {
    for (std::uint32_t link = 0; link < island.link_count; ++link) {
      members_[sets_.root(link)].push_back(link);
    }
    ends_.resize(island.link_count);
    for (std::uint32_t a = 0; a < island.head.size(); ++a) {
      ends_[island.link[a]] = {island.tail[a], island.head[a]};
    }
    find_joints(squares.lines());
    for (const Joint& joint : joints_) join(joint);
  }

  /// The dimension of each link, and the number of dimensions. The dimensions of the first switch
  /// come first, in the order of its neighbors.
  std::pair<std::vector<std::uint32_t>, std::uint32_t> dimensions() { return sets_.numbered(); }

 private:
  struct Joint {
    std::uint32_t count = 0;
    Line example;
  };

  void find_joints(std::vector<Line> lines) {
    const auto sets_of = [this](const Line& line) {
      return std::minmax({sets_.root(line.link_a), sets_.root(line.link_b)});
    };
    std::sort(lines.begin(), lines.end(), [&](const Line& a, const Line& b) {
      return std::pair(sets_of(a), a.at) < std::pair(sets_of(b), b.at);
    });
    for (const Line& line : lines) {
      if (joints_.empty() || sets_of(joints_.back().example) != sets_of(line)) {
        joints_.push_back({0, line});
      }
      ++joints_.back().count;
    }
    std::stable_sort(joints_.begin(), joints_.end(),
                     [](const Joint& a, const Joint& b) { return a.count > b.count; });
  }

  void join(const Joint& joint) {
    std::uint32_t from = sets_.root(joint.example.link_a);
    std::uint32_t into = sets_.root(joint.example.link_b);
    if (from == into) return;
    if (members_[from].size() > members_[into].size()) std::swap(from, into);
    for (const std::uint32_t link : members_[from]) {
      for (const std::uint32_t s : ends_[link]) {
        if (links_in(s, from, into) > 2) refuse_at(joint.example);
      }
    }
    std::vector<std::uint32_t> all = std::move(members_[into]);
    all.insert(all.end(), members_[from].begin(), members_[from].end());
    members_[from].clear();
    sets_.unite(from, into);
    members_[sets_.root(into)] = std::move(all);
  }

  /// Number of links of switch s in the two sets.
  std::uint32_t links_in(std::uint32_t s, std::uint32_t a, std::uint32_t b) {
    std::uint32_t count = 0;
    for (std::uint32_t arc = island_.first[s]; arc < island_.first[s + 1]; ++arc) {
      const std::uint32_t set = sets_.root(island_.link[arc]);
      count += set == a || set == b ? 1 : 0;
    }
    return count;
  }

  [[noreturn]] void refuse_at(const Line& line) const {
    const auto label = [this](std::uint32_t s) { return fabric_.label(island_.switches[s]); };
    const auto far_end = [&](std::uint32_t link) {
      return ends_[link][ends_[link][0] == line.at ? 1 : 0];
    };
    refuse(
        fmt::format("switch {} does not fit: its neighbors {} and {} are not joined by a second "
                    "switch, as if they were opposite each other in one dimension; elsewhere these "
                    "links belong to two dimensions. Look for a missing, surplus or misplaced "
                    "cable near the switch, or a twisted torus",
                    label(line.at), label(far_end(line.link_a)), label(far_end(line.link_b))));
  }

  const Fabric& fabric_;
  const Island& island_;
  DisjointSets& sets_;
  std::vector<std::vector<std::uint32_t>> members_;  // by root: links
  std::vector<std::array<std::uint32_t, 2>> ends_;   // per link: switches
  std::vector<Joint> joints_;
};

/// Dimension of each link.
struct LinkDimensions {
  std::vector<std::uint32_t> of_link;
  std::uint32_t count = 0;
};

/// If a cable is missing, surplus or misplaced, a link near it is in line with two other links.
/// This is checked first, because the message then names a switch next to the fault. Only a fabric
/// that looks like a mesh at every switch, such as a twisted torus, fails later.
LinkDimensions find_dimensions(const Fabric& fabric, const Island& island) {
  SquareSearch squares(island);
  const std::uint32_t worst = squares.most_out_of_order();
  if (worst != no_index) Disorder(fabric, island, worst).report();
  LinkDimensions dimensions;
  std::tie(dimensions.of_link, dimensions.count) =
      DimensionSearch(fabric, island, squares).dimensions();

  std::vector<bool> has_link(dimensions.count);
  for (std::uint32_t s = 0; s < island.size(); ++s) {
    has_link.assign(dimensions.count, false);
    for (std::uint32_t a = island.first[s]; a < island.first[s + 1]; ++a) {
      has_link[dimensions.of_link[island.link[a]]] = true;
    }
    const auto count = std::count(has_link.begin(), has_link.end(), true);
    if (count == dimensions.count) continue;
    refuse(fmt::format(
        "switch {} does not fit: it has neighbors in {} dimensions, other switches in {}",
        fabric.label(island.switches[s]), count, dimensions.count));
  }
  return dimensions;
}

/// One dimension alone: each layer (the switches that links of the other dimensions connect) is
/// contracted to one vertex.
struct Axis {
  MeshDimension dimension;
  std::vector<std::uint32_t> coordinate;  // per switch of the island
};

class AxisSearch {
 public:
  AxisSearch(const Fabric& fabric, const Island& island, const LinkDimensions& dimensions,
             std::uint32_t dimension)
      : fabric_(fabric), island_(island), dimensions_(dimensions), dimension_(dimension) {
    find_layers();
    find_neighbours();
  }

  /// Coordinates are counted from the end whose layer contains the lower SwitchId; in a ring, from
  /// the layer of the first switch towards the lower of its neighbors.
  Axis number() const {
    const auto layers = static_cast<std::uint32_t>(neighbours_.size());
    // Layers are numbered in the order of their lowest switches.
    std::uint32_t start = 0;
    while (start < layers && neighbours_[start][1] != no_index) ++start;
    const bool ring = start == layers;
    if (ring) start = 0;
    std::vector<std::uint32_t> position(layers, no_index);
    std::uint32_t count = 0;
    for (std::uint32_t at = start; at != no_index;) {
      position[at] = count++;
      std::uint32_t next = no_index;
      for (const std::uint32_t each : neighbours_[at]) {
        if (each != no_index && position[each] == no_index) next = std::min(next, each);
      }
      at = next;
    }
    Axis axis{{layers, ring}, std::vector<std::uint32_t>(island_.size())};
    for (std::uint32_t s = 0; s < island_.size(); ++s) axis.coordinate[s] = position[layer_[s]];
    return axis;
  }

 private:
  void find_layers() {
    DisjointSets sets(island_.size());
    for (std::uint32_t a = 0; a < island_.head.size(); ++a) {
      if (!is_along(a)) sets.unite(island_.tail[a], island_.head[a]);
    }
    std::uint32_t count = 0;
    std::tie(layer_, count) = sets.numbered();
    neighbours_.assign(count, {no_index, no_index});
  }

  void find_neighbours() {
    for (std::uint32_t a = 0; a < island_.head.size(); ++a) {
      if (!is_along(a)) continue;
      const std::uint32_t from = layer_[island_.tail[a]];
      const std::uint32_t to = layer_[island_.head[a]];
      if (from == to) {
        refuse(
            fmt::format("switch {} does not fit: its link to {} joins switches that are next to "
                        "each other in all dimensions; rows are shifted, as in a twisted torus",
                        label(island_.tail[a]), label(island_.head[a])));
      }
      auto& known = neighbours_[from];
      if (known[0] == to || known[1] == to) continue;
      if (known[1] != no_index) {
        refuse(
            fmt::format("switch {} does not fit: its link to {} leads to a third neighbor row; a "
                        "row has at most two",
                        label(island_.tail[a]), label(island_.head[a])));
      }
      known[known[0] == no_index ? 0 : 1] = to;
    }
  }

  bool is_along(std::uint32_t arc) const {
    return dimensions_.of_link[island_.link[arc]] == dimension_;
  }
  std::string label(std::uint32_t s) const { return fabric_.label(island_.switches[s]); }

  const Fabric& fabric_;
  const Island& island_;
  const LinkDimensions& dimensions_;
  std::uint32_t dimension_;
  std::vector<std::uint32_t> layer_;                      // per switch
  std::vector<std::array<std::uint32_t, 2>> neighbours_;  // per layer
};

MeshCoordinates recognise(const Fabric& fabric, const Island& island) {
  require_low_degree(fabric, island);
  const LinkDimensions dimensions = find_dimensions(fabric, island);
  std::vector<Axis> axes;
  for (std::uint32_t d = 0; d < dimensions.count; ++d) {
    axes.push_back(AxisSearch(fabric, island, dimensions, d).number());
  }
  // A stable sort keeps the order of LinkDimensions for equal sizes.
  std::stable_sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) {
    return a.dimension.size > b.dimension.size;
  });
  MeshCoordinates mesh;
  mesh.switches = island.switches;
  for (const Axis& axis : axes) mesh.dimensions.push_back(axis.dimension);
  mesh.values.reserve(mesh.switches.size() * axes.size());
  for (std::uint32_t s = 0; s < island.size(); ++s) {
    for (const Axis& axis : axes) mesh.values.push_back(axis.coordinate[s]);
  }
  require_mesh(fabric, mesh, "coordinates found from the cabling");
  return mesh;
}

}  // namespace

std::vector<MeshCoordinates> recognise_meshes(const Fabric& fabric) {
  std::vector<MeshCoordinates> meshes;
  std::vector<std::uint32_t> index(fabric.switch_count());
  for (std::vector<SwitchId>& switches : connected_components(fabric)) {
    meshes.push_back(recognise(fabric, make_island(fabric, std::move(switches), index)));
  }
  return meshes;
}

}  // namespace pssp
