#include "topologies/joined_trees.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace pssp {
namespace {

unsigned of_tree(const std::vector<unsigned>& numbers, std::size_t tree) {
  return numbers.size() == 1 ? numbers.front() : numbers[tree];
}

void check_list(std::string_view what, const std::vector<unsigned>& numbers, std::size_t trees) {
  if (numbers.size() == 1 || numbers.size() == trees) return;
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "joined trees: {} numbers of {} for {} trees; expected one number, or one per tree",
          numbers.size(), what, trees));
}

void check(const JoinedTreesParameters& p) {
  const std::size_t trees = p.leaves.size();
  if (p.cables == 0 || p.cables > last_unicast_lid) {
    throw Error(ErrorKind::usage,
                fmt::format("joined trees: {} cables between neighbors; expected 1 to {}", p.cables,
                            unsigned{last_unicast_lid}));
  }
  check_list("hosts", p.hosts, trees);
  check_list("spines", p.spines, trees);
  std::uint64_t switches = 0, hosts = 0;
  for (std::size_t t = 0; t < trees; ++t) {
    switches += p.leaves[t] + of_tree(p.spines, t);
    hosts += saturating_product(p.leaves[t], of_tree(p.hosts, t));
  }
  require_lid_space("joined trees", switches, hosts);
}

/// The spines of a tree and their used ports.
class Spines {
 public:
  /// `cables`: number of cables to other trees.
  Spines(CablingPlan& plan, const std::string& tree, unsigned count, unsigned leaves,
         unsigned cables)
      : used_(count, leaves) {
    for (unsigned s = 0; s < count; ++s) {
      // If the cables cannot be divided evenly, the first spines have one more cable; two more if
      // the tree has two neighbors.
      ids_.push_back(plan.add_switch(leaves + 2 * ((cables + count - 1) / count),
                                     fmt::format("{} spine {}", tree, s + 1)));
    }
  }

  unsigned count() const { return static_cast<unsigned>(ids_.size()); }
  Plug towards_leaf(unsigned spine, unsigned leaf) const { return {ids_[spine], leaf + 1}; }
  /// The port for the next cable to another tree.
  Plug outside(unsigned cable) {
    const unsigned spine = cable % count();
    return {ids_[spine], ++used_[spine]};
  }

 private:
  std::vector<PlanNodeId> ids_;
  std::vector<unsigned> used_;
};

Spines draw_tree(CablingPlan& plan, const JoinedTreesParameters& p, std::size_t tree) {
  const std::string name = fmt::format("tree {}", tree + 1);
  const unsigned hosts = of_tree(p.hosts, tree);
  const unsigned spines = of_tree(p.spines, tree);
  std::vector<PlanNodeId> leaves;
  for (unsigned l = 0; l < p.leaves[tree]; ++l) {
    const std::string leaf = fmt::format("{} leaf {}", name, l + 1);
    leaves.push_back(plan.add_switch(hosts + spines, leaf));
    for (unsigned h = 1; h <= hosts; ++h) {
      plan.add_host({leaves.back(), h}, fmt::format("{} host {}", leaf, h));
    }
  }
  Spines drawn(plan, name, spines, p.leaves[tree], p.leaves.size() > 1 ? p.cables : 0);
  for (unsigned l = 0; l < leaves.size(); ++l) {
    for (unsigned s = 0; s < spines; ++s)
      plan.connect({leaves[l], hosts + s + 1}, drawn.towards_leaf(s, l));
  }
  return drawn;
}

}  // namespace

CablingPlan make_joined_trees(const JoinedTreesParameters& parameters) {
  check(parameters);
  CablingPlan plan;
  std::vector<Spines> trees;
  for (std::size_t t = 0; t < parameters.leaves.size(); ++t)
    trees.push_back(draw_tree(plan, parameters, t));
  for (std::size_t t = 1; t < trees.size(); ++t) {
    for (unsigned c = 0; c < parameters.cables; ++c)
      plan.connect(trees[t - 1].outside(c), trees[t].outside(c));
  }
  return plan;
}

}  // namespace pssp
