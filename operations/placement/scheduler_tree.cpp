// Switches are ordered by distance from the leaves: in a tree, each cable leads one hop further.
// The connected components of the switches up to distance k correspond to level-k switches of the
// scheduler. Physical switches of a level are not distinguished, because placement depends on
// connectivity, not on paths.

#include "operations/placement/scheduler_tree.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/disjoint_sets.h"
#include "base/no_index.h"

namespace pssp {
namespace {

class TreeOfUnits {
 public:
  TreeOfUnits(const Fabric& fabric, std::span<const ScheduledNode> nodes)
      : fabric_(fabric),
        nodes_(nodes),
        together_(fabric.switch_count()),
        distance_(fabric.switch_count(), no_index) {}

  SchedulerTree run() {
    make_units();
    find_distances();
    tree_.is_tree = has_levels();
    if (tree_.is_tree) {
      for (std::uint32_t level = 1; level <= farthest_; ++level) join_up_to(level);
    } else {
      join_up_to(farthest_);
    }
    for (const auto& [root, vertex] : vertex_of_) tree_.tops.push_back(vertex);
    std::ranges::sort(tree_.tops);
    return std::move(tree_);
  }

 private:
  void make_units() {
    for (const ScheduledNode& node : nodes_) {
      for (const SwitchId leaf : node.leaves) {
        distance_[leaf.value()] = 0;
        together_.unite(node.leaves.front().value(), leaf.value());
      }
    }
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      const std::uint32_t root = together_.root(nodes_[n].leaves.front().value());
      const auto next = static_cast<std::uint32_t>(tree_.vertices.size());
      const auto [unit, is_new] = vertex_of_.emplace(root, next);
      if (is_new) tree_.vertices.emplace_back();
      tree_.vertices[unit->second].nodes.push_back(n);
    }
    for (std::uint32_t s = 0; s < distance_.size(); ++s) {
      if (distance_[s] != 0) continue;
      tree_.vertices[vertex_of_.at(together_.root(s))].leaves.emplace_back(s);
    }
    tree_.unit_count = static_cast<std::uint32_t>(tree_.vertices.size());
  }

  void find_distances() {
    std::vector<std::uint32_t> found;
    for (std::uint32_t s = 0; s < distance_.size(); ++s) {
      if (distance_[s] == 0) found.push_back(s);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::uint32_t s = found[i];
      farthest_ = distance_[s];
      for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
        const std::uint32_t head = fabric_.channel_head()[c];
        if (distance_[head] != no_index) continue;
        distance_[head] = distance_[s] + 1;
        found.push_back(head);
      }
    }
  }

  bool has_levels() {
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
      const std::uint32_t tail = fabric_.channel_tail()[c];
      const std::uint32_t head = fabric_.channel_head()[c];
      if (distance_[tail] == no_index || distance_[tail] != distance_[head]) continue;
      const bool is_in_unit = distance_[tail] == 0 && together_.together(tail, head);
      if (!is_in_unit) return false;
    }
    return true;
  }

  void join_up_to(std::uint32_t level) {
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
      const std::uint32_t tail = fabric_.channel_tail()[c];
      const std::uint32_t head = fabric_.channel_head()[c];
      if (distance_[tail] <= level && distance_[head] <= level) together_.unite(tail, head);
    }
    std::map<std::uint32_t, std::vector<std::uint32_t>> joined;  // by root
    for (const auto& [root, vertex] : vertex_of_) joined[together_.root(root)].push_back(vertex);
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> groups;  // by first child
    vertex_of_.clear();
    for (auto& [root, children] : joined) {
      std::ranges::sort(children);
      if (children.size() == 1) {
        vertex_of_.emplace(root, children.front());
      } else {
        groups.emplace_back(root, std::move(children));
      }
    }
    std::ranges::sort(groups, {}, [](const auto& group) { return group.second; });
    for (auto& [root, children] : groups) {
      vertex_of_.emplace(root, static_cast<std::uint32_t>(tree_.vertices.size()));
      std::uint32_t below = 0;
      for (const std::uint32_t child : children)
        below = std::max(below, tree_.vertices[child].level);
      tree_.vertices.push_back({below + 1, std::move(children), {}, {}});
    }
  }

  const Fabric& fabric_;
  std::span<const ScheduledNode> nodes_;
  DisjointSets together_;                // of switches
  std::vector<std::uint32_t> distance_;  // from the nearest leaf
  std::uint32_t farthest_ = 0;
  std::map<std::uint32_t, std::uint32_t> vertex_of_;  // vertex of a set of switches, by root
  SchedulerTree tree_;
};

}  // namespace

SchedulerTree scheduler_tree(const Fabric& fabric, std::span<const ScheduledNode> nodes) {
  return TreeOfUnits(fabric, nodes).run();
}

}  // namespace pssp
