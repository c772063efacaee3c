// Without the cables within levels, each connected component is one tree; if there are several
// trees, cables within levels join them.

#include "routing/trees/tree_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

/// The smallest and largest value.
struct NumberRange {
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t most = 0;

  void add(std::uint32_t number) {
    least = std::min(least, number);
    most = std::max(most, number);
  }
  std::string text() const {
    return least >= most ? std::to_string(most) : fmt::format("{} to {}", least, most);
  }
};

std::string counted(std::size_t number, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

class ShapeFinder {
 public:
  explicit ShapeFinder(const Fabric& fabric)
      : fabric_(fabric), levels_(switch_ranks(fabric)), joined_to_(fabric.switch_count()) {
    std::iota(joined_to_.begin(), joined_to_.end(), 0U);
    up_.resize(fabric.switch_count());
    down_.resize(fabric.switch_count());
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      const std::uint32_t tail = fabric.channel_tail()[c];
      const std::uint32_t head = fabric.channel_head()[c];
      if (levels_[tail] == no_rank || levels_[tail] == levels_[head]) continue;
      ++(levels_[head] > levels_[tail] ? up_ : down_)[tail];
      joined_to_[first(tail)] = first(head);
    }
  }

  std::string text() {
    const std::vector<std::size_t> leaves = leaves_of_trees();
    std::string text = leaves.size() > 1 ? several(leaves) : one();
    if (const std::string inside = within_levels(); !inside.empty()) text += "; " + inside;
    return text;
  }

 private:
  /// The representative of the component of s.
  std::uint32_t first(std::uint32_t s) {
    while (joined_to_[s] != s) s = joined_to_[s] = joined_to_[joined_to_[s]];
    return s;
  }

  bool is_leaf(std::uint32_t s) const { return levels_[s] == 0; }

  /// Numbers of leaves by tree, the largest first.
  std::vector<std::size_t> leaves_of_trees() {
    std::vector<std::size_t> leaves(fabric_.switch_count(), 0);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (is_leaf(s)) ++leaves[first(s)];
    }
    std::erase(leaves, 0U);
    std::sort(leaves.begin(), leaves.end(), std::greater<>());
    return leaves;
  }

  std::string several(const std::vector<std::size_t>& leaves) {
    std::string numbers;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (i != 0) numbers += i + 1 == leaves.size() ? " and " : ", ";
      numbers += std::to_string(leaves[i]);
    }
    const std::size_t cables = cables_within_levels(true);
    return fmt::format(
        "{} trees of {} leaves, {}", leaves.size(), numbers,
        cables == 0 ? "not joined" : "joined by " + counted(cables, "cable", "cables"));
  }

  std::string one() const {
    NumberRange hosts, cables_of_tops;
    std::uint32_t highest = 0;
    std::size_t leaves = 0, tops = 0, hosts_above = 0;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (levels_[s] == no_rank) continue;
      highest = std::max(highest, levels_[s]);
      if (is_leaf(s)) {
        ++leaves;
        hosts.add(fabric_.endpoints_per_switch()[s]);
        continue;
      }
      hosts_above += fabric_.endpoints_per_switch()[s];
      if (up_[s] == 0) {
        ++tops;
        cables_of_tops.add(down_[s]);
      }
    }
    std::string text = fmt::format("a tree of {}: {} of {} hosts",
                                   counted(highest + std::size_t{1}, "level", "levels"),
                                   counted(leaves, "leaf", "leaves"), hosts.text());
    if (tops != 0) {
      text += fmt::format(", {} of {} cables", counted(tops, "top", "tops"), cables_of_tops.text());
    }
    if (hosts_above != 0)
      text += "; " + counted(hosts_above, "host", "hosts") + " above the leaves";
    return text;
  }

  std::string within_levels() {
    const std::size_t cables = cables_within_levels(false);
    return cables == 0 ? "" : counted(cables, "cable", "cables") + " within a level";
  }

  /// Cables within levels that join two trees, or all others.
  std::size_t cables_within_levels(bool between_trees) {
    std::size_t cables = 0;
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
      const std::uint32_t tail = fabric_.channel_tail()[c];
      const std::uint32_t head = fabric_.channel_head()[c];
      if (fabric_.channel_reverse()[c] < c || levels_[tail] == no_rank) continue;
      if (levels_[tail] == levels_[head] && (first(tail) != first(head)) == between_trees) ++cables;
    }
    return cables;
  }

  const Fabric& fabric_;
  std::vector<std::uint32_t> levels_;     // by SwitchId, as the next
  std::vector<std::uint32_t> joined_to_;  // by a cable between levels; the representative itself
  std::vector<std::uint32_t> up_, down_;  // cables
};

std::string describe_missing(const Fabric& fabric, const std::vector<InferredLink>& missing) {
  std::uint32_t last = 0;
  std::size_t links = 0;
  for (const InferredLink& link : missing) {
    last = std::max(last, link.b.at.value());
    if (link.b.at.value() < fabric.switch_count()) ++links;
  }
  const std::size_t switches =
      links == missing.size() ? 0 : last + 1 - static_cast<std::size_t>(fabric.switch_count());
  std::string text;
  if (switches != 0) text += counted(switches, "switch", "switches");
  if (switches != 0 && links != 0) text += " and ";
  if (links != 0) text += counted(links, "link", "links");
  return text.empty() ? "" : "; " + text + " missing";
}

}  // namespace

std::string describe_tree(const Fabric& fabric, const std::vector<InferredLink>& missing) {
  return ShapeFinder(fabric).text() + describe_missing(fabric, missing);
}

}  // namespace pssp
