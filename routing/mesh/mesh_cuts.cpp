// A damaged mesh or torus is a part of the complete one. The rule for squares
// (mesh_recognition.cpp) also holds for its parts: opposite sides of a square are parallel, in one
// direction of one dimension. But a damaged mesh has fewer squares, and links that seem to be in
// line may not be in line, because a corner of a square with a missing side looks the same.
// Therefore links are first grouped into cuts, and cuts are then joined to dimensions.

#include "routing/mesh/mesh_cuts.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace pssp {
namespace {

/// Disjoint sets of links. Each link has the direction of its set or the opposite direction. The
/// root of a set is its smallest member.
class DirectedSets {
 public:
  explicit DirectedSets(std::size_t links) : parent_(links), against_(links, 0) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  struct Position {
    std::uint32_t root;
    bool against;
  };
  Position find(std::uint32_t link) {
    bool against = false;
    while (parent_[link] != link) {
      const std::uint32_t above = parent_[link];
      if (parent_[above] != above) {
        against_[link] ^= against_[above];
        parent_[link] = parent_[above];
      }
      against ^= against_[link] != 0;
      link = parent_[link];
    }
    return {link, against};
  }

  /// False if the links are already in one set and have the other direction in it.
  bool unite(std::uint32_t a, std::uint32_t b, bool same_direction) {
    Position of_a = find(a);
    Position of_b = find(b);
    const bool differ = of_a.against != of_b.against;
    if (of_a.root == of_b.root) return differ != same_direction;
    if (of_a.root > of_b.root) std::swap(of_a, of_b);
    parent_[of_b.root] = of_a.root;
    against_[of_b.root] = differ == same_direction ? 1 : 0;
    return true;
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint8_t> against_;  // relative to the direction of the parent
};

/// Whether the arc leads from the lower to the higher end of its link.
bool is_forward(const Island& island, std::uint32_t arc) {
  return island.tail[arc] < island.head[arc];
}

/// Two consecutive arcs that are in no common square.
struct LineOfTwo {
  std::uint32_t first_arc, second_arc;
};

/// Groups links that squares connect into cuts. A cut contains all links between two neighboring
/// layers of the mesh, except for a few links that are no longer in a square.
class CutSearch {
 public:
  explicit CutSearch(const Island& island)
      : cuts(island.link_count), island_(island), paths_(island.size()) {
    for (std::uint32_t s = 0; s < island.size() && is_mesh_; ++s) probe_from(s);
  }

  /// False if no mesh has such a part.
  bool is_mesh() const noexcept { return is_mesh_; }

  DirectedSets cuts;
  std::vector<LineOfTwo> lines;

 private:
  void probe_from(std::uint32_t s) {
    reached_.clear();
    for (std::uint32_t a = island_.first[s]; a < island_.first[s + 1]; ++a) {
      const std::uint32_t via = island_.head[a];
      for (std::uint32_t b = island_.first[via]; b < island_.first[via + 1]; ++b) {
        if (island_.head[b] <= s) continue;  // the other end finds this pair
        TwoHops& paths = paths_[island_.head[b]];
        if (paths.count == 0) reached_.push_back(island_.head[b]);
        paths.add(a, b);
      }
    }
    for (const std::uint32_t far : reached_) evaluate(s, std::exchange(paths_[far], {}), far);
  }

  void evaluate(std::uint32_t s, const TwoHops& paths, std::uint32_t far) {
    const auto neighbours = island_.neighbours(s);
    if (paths.count == 1) {
      lines.push_back({paths.first_arc[0], paths.second_arc[0]});
    } else if (paths.count > 2 || std::binary_search(neighbours.begin(), neighbours.end(), far)) {
      is_mesh_ = false;
    } else {
      is_mesh_ &= parallel(paths.first_arc[0], paths.second_arc[1]);
      is_mesh_ &= parallel(paths.first_arc[1], paths.second_arc[0]);
    }
  }

  bool parallel(std::uint32_t a, std::uint32_t b) {
    return cuts.unite(island_.link[a], island_.link[b],
                      is_forward(island_, a) == is_forward(island_, b));
  }

  const Island& island_;
  bool is_mesh_ = true;
  std::vector<TwoHops> paths_;  // by switch; reset after each use
  std::vector<std::uint32_t> reached_;
};

/// Joins cuts that meet in line to dimensions, starting with the cuts that meet at the most
/// switches. Real neighbors meet at a whole layer, false neighbors only next to a gap, at one or
/// two switches. No switch may get two links of one direction; a false join would cause this where
/// the two cuts cross.
class CutJoiner {
 public:
  /// `least`: number of switches at which two cuts must meet in line before they are joined.
  CutJoiner(const Island& island, const CutSearch& search, std::uint32_t least)
      : island_(island), least_(least), sets_(search.cuts), links_of_(island.link_count) {
    for (std::uint32_t link = 0; link < island.link_count; ++link) {
      links_of_[sets_.find(link).root].push_back(link);
    }
    arc_of_.resize(island.link_count);
    for (std::uint32_t a = 0; a < island.head.size(); ++a) {
      if (is_forward(island, a)) arc_of_[island.link[a]] = a;
    }
    for (const Joint& joint : find_joints(search.lines)) join(joint);
  }

  /// The roots of sets of links, in descending order of size.
  std::vector<std::uint32_t> largest() const {
    // A dimension of two layers has one link per two switches; other dimensions have more links.
    const std::size_t enough = std::max<std::size_t>(1, island_.size() / 4);
    std::vector<std::uint32_t> roots;
    for (std::uint32_t root = 0; root < island_.link_count; ++root) {
      if (links_of_[root].size() >= enough) roots.push_back(root);
    }
    std::ranges::stable_sort(
        roots, [this](auto a, auto b) { return links_of_[a].size() > links_of_[b].size(); });
    return roots;
  }

  /// Steps by arc, if these sets are the dimensions, in the order of their lowest links.
  std::vector<ArcStep> steps(std::vector<std::uint32_t> roots) {
    std::ranges::sort(roots);
    std::vector<ArcStep> steps(island_.head.size());
    for (std::uint32_t a = 0; a < steps.size(); ++a) {
      const DirectedSets::Position place = sets_.find(island_.link[a]);
      const auto found = std::ranges::find(roots, place.root);
      if (found == roots.end()) continue;
      steps[a] = {static_cast<std::uint32_t>(found - roots.begin()),
                  is_forward(island_, a) != place.against ? 1 : -1};
    }
    return steps;
  }

 private:
  struct Joint {
    std::uint32_t a, b;  // links of two cuts
    bool same_direction;
    std::uint32_t switches;
  };

  /// Sorts by descending number of switches.
  std::vector<Joint> find_joints(const std::vector<LineOfTwo>& lines) {
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> counts;
    for (const LineOfTwo& line : lines) {
      DirectedSets::Position a = sets_.find(island_.link[line.first_arc]);
      DirectedSets::Position b = sets_.find(island_.link[line.second_arc]);
      if (a.root == b.root) continue;
      a.against ^= !is_forward(island_, line.first_arc);
      b.against ^= !is_forward(island_, line.second_arc);
      if (a.root > b.root) std::swap(a, b);
      ++counts[{a.root, b.root, a.against == b.against}];
    }
    std::vector<Joint> joints;
    joints.reserve(counts.size());
    for (const auto& [which, count] : counts) {
      if (count < least_) continue;
      joints.push_back({std::get<0>(which), std::get<1>(which), std::get<2>(which), count});
    }
    std::stable_sort(joints.begin(), joints.end(),
                     [](const Joint& a, const Joint& b) { return a.switches > b.switches; });
    return joints;
  }

  void join(const Joint& joint) {
    const DirectedSets::Position a = sets_.find(joint.a);
    const DirectedSets::Position b = sets_.find(joint.b);
    if (a.root == b.root) return;
    // The roots were roots of cuts, so they have the direction of the cuts.
    const bool turned = (a.against != b.against) == joint.same_direction;
    const bool first_is_smaller = links_of_[a.root].size() < links_of_[b.root].size();
    const std::uint32_t from = first_is_smaller ? a.root : b.root;
    const std::uint32_t into = first_is_smaller ? b.root : a.root;
    for (const std::uint32_t link : links_of_[from]) {
      const std::uint32_t arc = arc_of_[link];
      if (is_congested(island_.tail[arc], from, into, turned)) return;
      if (is_congested(island_.head[arc], from, into, turned)) return;
    }
    std::vector<std::uint32_t> all = std::move(links_of_[into]);
    all.insert(all.end(), links_of_[from].begin(), links_of_[from].end());
    links_of_[from].clear();
    sets_.unite(from, into, !turned);
    links_of_[std::min(from, into)] = std::move(all);
    if (from < into) links_of_[into].clear();
  }

  /// Whether the switch would have two links of one direction.
  bool is_congested(std::uint32_t s, std::uint32_t a, std::uint32_t b, bool turned) {
    std::array<int, 2> links{0, 0};
    for (std::uint32_t arc = island_.first[s]; arc < island_.first[s + 1]; ++arc) {
      const DirectedSets::Position place = sets_.find(island_.link[arc]);
      if (place.root != a && place.root != b) continue;
      const bool is_turned = turned && place.root == a;
      const bool is_up = (is_forward(island_, arc) != place.against) != is_turned;
      ++links[is_up ? 1 : 0];
    }
    return links[0] > 1 || links[1] > 1;
  }

  const Island& island_;
  std::uint32_t least_;
  DirectedSets sets_;
  std::vector<std::vector<std::uint32_t>> links_of_;  // by root
  std::vector<std::uint32_t> arc_of_;                 // forward, by link
};

}  // namespace

std::vector<DimensionGuess> guess_dimensions(const Island& island) {
  std::vector<DimensionGuess> guesses;
  const CutSearch search(island);
  if (!search.is_mesh()) return guesses;
  // One switch is not enough evidence; if gaps are close to each other, two switches are not enough
  // either.
  for (const std::uint32_t least : {2U, 3U, 5U}) {
    CutJoiner joiner(island, search, least);
    // The part of a dimension behind gaps may be large enough to look like another dimension.
    for (std::vector<std::uint32_t> roots = joiner.largest(); !roots.empty(); roots.pop_back()) {
      guesses.push_back({joiner.steps(roots), roots.size()});
    }
  }
  return guesses;
}

}  // namespace pssp
