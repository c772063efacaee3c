// Switches of one column (tree_coordinates.h) have the same parents, with the same number of cables
// to each. If a switch has fewer, the others are missing. Port numbers are ignored, because they
// differ between switches on real fabrics.
//
// A link without evidence is not inferred: its other end was probably at a missing switch, and a
// wrong link does more harm than a missing one. So a parent is inferred only if most siblings have
// it, and only while both ends have free ports.

#include "routing/trees/inferred_links.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "routing/trees/inferred_switches.h"
#include "routing/trees/numbered_tree.h"
#include "routing/trees/tree_coordinates.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

/// The cables of a switch to one parent.
struct CablesUp {
  std::uint32_t parent;
  std::uint32_t count;
};

/// A missing cable between two switches.
struct Missing {
  std::uint32_t child, parent;
};

class LinkImaginer {
 public:
  explicit LinkImaginer(const Fabric& fabric)
      : fabric_(fabric), coordinates_(tree_coordinates(fabric)), free_(fabric.switch_count()) {
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      for (unsigned port = 1; port <= fabric.switch_at(SwitchId(s)).ports; ++port) {
        const auto number = static_cast<PortNumber>(port);
        if (fabric.behind(SwitchId(s), number).kind == PortTarget::Kind::none) {
          free_[s].push_back(number);
        }
      }
      cables_up_.push_back(cables_up(s));
    }
  }

  std::vector<InferredLink> run() {
    find_usual_counts();
    // An inferred link can be evidence for other missing links.
    std::size_t before = 0;
    do {
      before = links_.size();
      infer();
    } while (links_.size() != before);
    std::sort(links_.begin(), links_.end());
    return std::move(links_);
  }

 private:
  void infer() {
    missing_.clear();
    for (const auto& [place, members] : columns()) {
      if (members.size() > 1) look_at(members);
    }
    // Links whose ports follow from siblings come before links that can use any free port.
    std::vector<Missing> without_example;
    for (const Missing& each : missing_) {
      const PortNumber below = port_of_siblings(each);
      const PortNumber above = port_of_other_parents(each);
      if (below == no_port || above == no_port || !take(each, below, above)) {
        without_example.push_back(each);
      }
    }
    for (const Missing& each : without_example) {
      if (free_[each.child].empty() || free_[each.parent].empty()) continue;
      take(each, free_[each.child].front(), free_[each.parent].front());
    }
  }

  std::span<const std::uint32_t> levels() const { return coordinates_.level; }

  std::vector<CablesUp> cables_up(std::uint32_t s) const {
    std::vector<CablesUp> found;
    for (const std::uint32_t parent : tree_parents(fabric_, levels(), s)) {
      found.push_back({parent, count_cables(s, parent)});
    }
    return found;
  }

  std::uint32_t count_cables(std::uint32_t s, std::uint32_t to) const {
    const auto heads = fabric_.channel_head().subspan(
        fabric_.first_channel()[s], fabric_.first_channel()[s + 1] - fabric_.first_channel()[s]);
    return static_cast<std::uint32_t>(std::count(heads.begin(), heads.end(), to));
  }

  /// Finds, by level, the number of cables per switch and parent that two thirds of the pairs have.
  void find_usual_counts() {
    std::map<std::uint32_t, std::map<std::uint32_t, std::size_t>> pairs_by_count;  // by level
    std::map<std::uint32_t, std::size_t> pairs;
    for (std::uint32_t s = 0; s < cables_up_.size(); ++s) {
      for (const CablesUp& up : cables_up_[s]) {
        ++pairs_by_count[levels()[s]][up.count];
        ++pairs[levels()[s]];
      }
    }
    for (const auto& [level, counts] : pairs_by_count) {
      for (const auto& [count, number] : counts) {
        if (3 * number >= 2 * pairs[level]) usual_count_[level] = count;
      }
    }
  }

  /// Switches that have or should have parents, by level and column.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> columns() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> members;
    for (std::uint32_t s = 0; s < cables_up_.size(); ++s) {
      if (const std::optional<std::uint32_t> column = column_of(s)) {
        members[{levels()[s], *column}].push_back(s);
      }
    }
    return members;
  }

  /// A switch without parents is identified by its children: the column of most switches with the
  /// same children.
  std::optional<std::uint32_t> column_of(std::uint32_t s) {
    if (!cables_up_[s].empty()) return coordinates_.column[s];
    const std::vector<std::uint32_t>& others = with_same_children(s);
    std::map<std::uint32_t, std::size_t> frequency;
    for (const std::uint32_t other : others) {
      if (!cables_up_[other].empty()) ++frequency[coordinates_.column[other]];
    }
    for (const auto& [column, number] : frequency) {
      if (2 * number > others.size()) return column;
    }
    return std::nullopt;
  }

  /// Compares the switches of a column with each other.
  void look_at(const std::vector<std::uint32_t>& members) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> counts;  // numbers of cables, by parent
    for (const std::uint32_t s : members) {
      for (const CablesUp& up : cables_up_[s]) counts[up.parent].push_back(up.count);
    }
    for (const std::uint32_t s : members) {
      for (auto& [parent, of_members] : counts) {
        const std::uint32_t own = own_count(s, parent);
        const std::uint32_t expected = expected_count(levels()[s], of_members);
        if (own >= expected) continue;
        const std::size_t with_parent = of_members.size() - (own == 0 ? 0 : 1);
        if (!is_usual(s, parent, {with_parent, members.size() - 1})) continue;
        for (std::uint32_t have = own; have < expected; ++have) missing_.push_back({s, parent});
      }
    }
  }

  /// Number of switches with a link, among those that may have it.
  struct Share {
    std::size_t with, all;
  };

  /// Whether most siblings of both ends have such a link: for the child, `siblings`; for the
  /// parent, the switches with nearly the same children.
  bool is_usual(std::uint32_t child, std::uint32_t parent, Share siblings) {
    for (const std::uint32_t other : with_same_children(parent)) {
      ++siblings.all;
      if (own_count(child, other) != 0) ++siblings.with;
    }
    return 2 * siblings.with > siblings.all;
  }

  /// Other switches of the level that share at least half of the smaller set of children.
  const std::vector<std::uint32_t>& with_same_children(std::uint32_t parent) {
    const auto [place, is_new] = with_same_children_.try_emplace(parent);
    if (!is_new) return place->second;
    const std::vector<std::uint32_t> children = tree_children(fabric_, levels(), parent);
    std::map<std::uint32_t, std::size_t> shared;  // numbers of common children, by switch
    for (const std::uint32_t each : children) {
      for (const CablesUp& up : cables_up_[each]) {
        if (up.parent != parent) ++shared[up.parent];
      }
    }
    for (const auto& [other, common] : shared) {
      const std::size_t of_other = tree_children(fabric_, levels(), other).size();
      if (2 * common >= std::min(children.size(), of_other)) place->second.push_back(other);
    }
    return place->second;
  }

  std::uint32_t own_count(std::uint32_t s, std::uint32_t parent) const {
    for (const CablesUp& up : cables_up_[s]) {
      if (up.parent == parent) return up.count;
    }
    return 0;
  }

  /// The usual number of the level, else the most frequent of the column (of equals the smallest).
  std::uint32_t expected_count(std::uint32_t level,
                               const std::vector<std::uint32_t>& of_members) const {
    if (const auto usual = usual_count_.find(level); usual != usual_count_.end()) {
      return usual->second;
    }
    std::map<std::uint32_t, std::size_t> frequency;
    for (const std::uint32_t count : of_members) ++frequency[count];
    return std::max_element(frequency.begin(), frequency.end(),
                            [](const auto& a, const auto& b) { return a.second < b.second; })
        ->first;
  }

  using Votes = std::array<std::uint32_t, std::size_t{max_port_number} + 1>;  // by port

  void vote(Votes& votes, std::uint32_t from, std::uint32_t to, bool at_head) const {
    for (std::uint32_t c = fabric_.first_channel()[from]; c < fabric_.first_channel()[from + 1];
         ++c) {
      if (fabric_.channel_head()[c] != to) continue;
      ++votes[at_head ? fabric_.channel_in_port()[c] : fabric_.channel_out_port()[c]];
    }
  }

  /// The free port of the child with most votes; no_port if no free port has a vote.
  static PortNumber most_voted(const Votes& votes, const std::vector<PortNumber>& free) {
    PortNumber best = no_port;
    std::uint32_t most = 0;
    for (const PortNumber port : free) {
      if (votes[port] <= most) continue;
      most = votes[port];
      best = port;
    }
    return best;
  }

  /// The port at which the siblings connect to the parent.
  PortNumber port_of_siblings(const Missing& missing) const {
    Votes votes{};
    for (const std::uint32_t sibling : tree_children(fabric_, levels(), missing.parent)) {
      if (coordinates_.column[sibling] == coordinates_.column[missing.child]) {
        vote(votes, sibling, missing.parent, false);
      }
    }
    return most_voted(votes, free_[missing.child]);
  }

  /// The port at which the other parents connect to the child.
  PortNumber port_of_other_parents(const Missing& missing) const {
    Votes votes{};
    for (const CablesUp& up : cables_up_[missing.child]) {
      vote(votes, missing.child, up.parent, true);
    }
    return most_voted(votes, free_[missing.parent]);
  }

  void count_cable(const Missing& inferred) {
    for (CablesUp& up : cables_up_[inferred.child]) {
      if (up.parent != inferred.parent) continue;
      ++up.count;
      return;
    }
    cables_up_[inferred.child].push_back({inferred.parent, 1});
  }

  bool take(const Missing& missing, PortNumber below, PortNumber above) {
    std::vector<PortNumber>& free_below = free_[missing.child];
    std::vector<PortNumber>& free_above = free_[missing.parent];
    const auto at_child = std::find(free_below.begin(), free_below.end(), below);
    const auto at_parent = std::find(free_above.begin(), free_above.end(), above);
    if (at_child == free_below.end() || at_parent == free_above.end()) return false;
    free_below.erase(at_child);
    free_above.erase(at_parent);
    count_cable(missing);
    const SwitchPort a{SwitchId(missing.child), below};
    const SwitchPort b{SwitchId(missing.parent), above};
    links_.push_back({std::min(a, b), std::max(a, b)});
    return true;
  }

  const Fabric& fabric_;
  TreeCoordinates coordinates_;
  std::vector<std::vector<PortNumber>> free_;           // free ports, by SwitchId
  std::vector<std::vector<CablesUp>> cables_up_;        // by SwitchId
  std::map<std::uint32_t, std::uint32_t> usual_count_;  // by level
  std::map<std::uint32_t, std::vector<std::uint32_t>> with_same_children_;
  std::vector<Missing> missing_;
  std::vector<InferredLink> links_;
};

}  // namespace

std::vector<InferredLink> infer_links(const Fabric& fabric) {
  require_tree(fabric, switch_ranks(fabric));
  std::vector<InferredLink> links = LinkImaginer(fabric).run();
  const std::vector<InferredLink> of_switches =
      links.empty() ? infer_switches(fabric) : infer_switches(with_links(fabric, links));
  links.insert(links.end(), of_switches.begin(), of_switches.end());
  std::sort(links.begin(), links.end());
  return links;
}

bool lacks_many_links(const Fabric& fabric, const std::vector<InferredLink>& links) {
  constexpr std::size_t many = 33;
  return many * links.size() > fabric.channel_count() / 2;
}

bool lacks_switches(const Fabric& fabric, const std::vector<InferredLink>& links) {
  return std::ranges::any_of(
      links, [&](const InferredLink& link) { return link.b.at.value() >= fabric.switch_count(); });
}

}  // namespace pssp
