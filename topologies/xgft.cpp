// A node of level l is a pair (t, c). The node is a root of subtree t, counted from left to right
// among the subtrees of its height, and c is its number among the w_1 * .. * w_l roots of this
// subtree. The node (t, c) of level l - 1 has the parents (t / m_l, c * w_l + y) for y = 0 .. w_l -
// 1. This is the definition of the paper with its digit strings read as numbers.

#include "topologies/xgft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "base/error.h"

namespace pssp {
namespace {

/// Roots per subtree of each height 0 .. h.
std::vector<std::uint64_t> roots_per_subtree(const XgftParameters& xgft) {
  std::vector<std::uint64_t> roots{1};
  for (const unsigned w : xgft.parents) roots.push_back(saturating_product(roots.back(), w));
  return roots;
}

/// Subtrees of each height 0 .. h in the whole tree.
std::vector<std::uint64_t> subtree_counts(const XgftParameters& xgft) {
  std::vector<std::uint64_t> subtrees(xgft.children.size() + 1, 1);
  for (std::size_t level = xgft.children.size(); level > 0; --level) {
    subtrees[level - 1] = saturating_product(subtrees[level], xgft.children[level - 1]);
  }
  return subtrees;
}

void check(const XgftParameters& xgft) {
  if (xgft.children.empty() || xgft.parents.size() != xgft.children.size()) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "fat tree: {} numbers of children and {} numbers of parents; expected one of each "
            "per level and at least one level",
            xgft.children.size(), xgft.parents.size()));
  }
  if (std::count(xgft.children.begin(), xgft.children.end(), 0U) != 0 ||
      std::count(xgft.parents.begin(), xgft.parents.end(), 0U) != 0) {
    throw Error(ErrorKind::usage,
                "fat tree: a level without children or parents; expected at least 1 of each");
  }
  if (xgft.parents[0] != 1) {
    throw Error(
        ErrorKind::usage,
        fmt::format(
            "fat tree: hosts with {} parents would create as many separate fabrics, because "
            "adapters do not forward packets; expected w_1 = 1",
            xgft.parents[0]));
  }
}

void check_size(const std::vector<std::uint64_t>& subtrees,
                const std::vector<std::uint64_t>& roots) {
  std::uint64_t switches = 0;
  for (std::size_t level = 1; level < subtrees.size(); ++level) {
    // Ends at the first number that is too large, because a sum of two such numbers could overflow.
    if (switches > last_unicast_lid) break;
    const std::uint64_t here = saturating_product(subtrees[level], roots[level]);
    switches = here > last_unicast_lid ? here : switches + here;
  }
  require_lid_space("fat tree", switches, subtrees[0]);
}

std::string switch_description(std::size_t level, std::uint64_t number) {
  return level == 1 ? fmt::format("leaf {}", number + 1)
                    : fmt::format("level {} switch {}", level, number + 1);
}

}  // namespace

CablingPlan make_xgft(const XgftParameters& parameters) {
  check(parameters);
  const std::vector<std::uint64_t> subtrees = subtree_counts(parameters);
  const std::vector<std::uint64_t> roots = roots_per_subtree(parameters);
  check_size(subtrees, roots);

  CablingPlan plan;
  std::vector<PlanNodeId> below;
  for (std::uint64_t host = 0; host < subtrees[0]; ++host) {
    below.push_back(plan.add_adapter(
        1, fmt::format("{} host {}", switch_description(1, host / parameters.children[0]),
                       host % parameters.children[0] + 1)));
  }
  const std::size_t height = parameters.children.size();
  for (std::size_t level = 1; level <= height; ++level) {
    const unsigned m = parameters.children[level - 1];
    const unsigned w = parameters.parents[level - 1];
    const unsigned cables = level == 1 ? 1 : parameters.parallel;  // hosts have one port
    const unsigned up = level < height ? parameters.parents[level] * parameters.parallel : 0;
    std::vector<PlanNodeId> here;
    for (std::uint64_t number = 0; number < subtrees[level] * roots[level]; ++number) {
      here.push_back(plan.add_switch(m * cables + up, switch_description(level, number)));
    }
    const unsigned below_cables = level == 2 ? 1 : parameters.parallel;
    const unsigned first_up_port =
        level == 1 ? 1 : parameters.children[level - 2] * below_cables + 1;
    for (std::uint64_t child = 0; child < below.size(); ++child) {
      const std::uint64_t subtree = child / roots[level - 1];
      const std::uint64_t copy = child % roots[level - 1];
      for (unsigned y = 0; y < w; ++y) {
        const std::uint64_t parent = subtree / m * roots[level] + copy * w + y;
        const unsigned first_down_port = static_cast<unsigned>(subtree % m) * cables + 1;
        for (unsigned c = 0; c < cables; ++c) {
          plan.connect({below[child], first_up_port + y * cables + c},
                       {here[parent], first_down_port + c});
        }
      }
    }
    below = std::move(here);
  }
  return plan;
}

XgftParameters k_ary_n_tree(unsigned k, unsigned n) {
  XgftParameters xgft{std::vector<unsigned>(n, k), std::vector<unsigned>(n, k)};
  if (n > 0) xgft.parents[0] = 1;
  return xgft;
}

}  // namespace pssp
