// Candidates are visited in random order: first halves of spines, then switches, then links. Each
// candidate is removed on trial, and restored if the fabric would split. A union-find over the
// remaining cables checks the connectivity each time; plans are small and damage is rare, so a
// faster method is not needed.

#include "topologies/damage.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/disjoint_sets.h"
#include "base/error.h"
#include "topologies/random.h"

namespace pssp {
namespace {

/// The remaining nodes and cables of a plan, on trial.
struct Remains {
  std::vector<bool> node, cable;
};

/// Whether the remaining switches are connected.
bool is_whole(const CablingPlan& plan, const Remains& left) {
  DisjointSets sets(plan.nodes().size());
  std::size_t islands = 0;
  for (std::size_t n = 0; n < plan.nodes().size(); ++n) {
    if (plan.nodes()[n].is_switch && left.node[n]) ++islands;
  }
  for (std::size_t c = 0; c < plan.cables().size(); ++c) {
    const Cable& cable = plan.cables()[c];
    const std::uint32_t a = cable.a.node.value();
    const std::uint32_t b = cable.b.node.value();
    if (!left.cable[c] || !plan.joins_switches(cable) || !left.node[a] || !left.node[b]) continue;
    if (sets.unite(a, b)) --islands;
  }
  return islands <= 1;
}

/// Candidates that are removed together: indices of the flags of a node or of cables.
using Candidate = std::vector<std::uint32_t>;

std::vector<Candidate> each_alone(const std::vector<std::uint32_t>& indices) {
  std::vector<Candidate> candidates;
  candidates.reserve(indices.size());
  for (const std::uint32_t index : indices) candidates.push_back({index});
  return candidates;
}

/// Clears the flags of `count` random candidates.
void take_out(const CablingPlan& plan, Remains& left, std::vector<bool>& flags,
              const std::vector<Candidate>& candidates, std::uint32_t count, bool may_split,
              Random random, std::string_view what) {
  std::vector<std::uint32_t> pending =
      random.permutation(static_cast<std::uint32_t>(candidates.size()));
  std::uint32_t taken = 0;
  // A switch that connected two parts can become removable after one of the parts is gone, so the
  // check is repeated as long as it succeeds for some candidate.
  for (bool progress = true; progress && taken < count;) {
    progress = false;
    std::vector<std::uint32_t> spared;
    for (const std::uint32_t pick : pending) {
      if (taken == count) return;
      for (const std::uint32_t index : candidates[pick]) flags[index] = false;
      if (may_split || is_whole(plan, left)) {
        ++taken;
        progress = true;
      } else {
        for (const std::uint32_t index : candidates[pick]) flags[index] = true;
        spared.push_back(pick);
      }
    }
    pending = std::move(spared);
  }
  if (taken == count) return;
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "only {} of {} {} (out of {}) can be removed{}", taken, count, what, candidates.size(),
          may_split ? "" : " without splitting the fabric; remove fewer, or allow islands"));
}

/// The nodes that have a cable to each switch, in the order of addition, without duplicates.
std::vector<std::vector<std::uint32_t>> neighbours_of_switches(const CablingPlan& plan) {
  std::vector<std::vector<std::uint32_t>> neighbours(plan.nodes().size());
  for (const Cable& cable : plan.cables()) {
    neighbours[cable.a.node.value()].push_back(cable.b.node.value());
    neighbours[cable.b.node.value()].push_back(cable.a.node.value());
  }
  for (std::vector<std::uint32_t>& each : neighbours) {
    std::sort(each.begin(), each.end());
    each.erase(std::unique(each.begin(), each.end()), each.end());
  }
  return neighbours;
}

/// The switches farthest from hosts; empty if all switches have hosts.
std::vector<std::uint32_t> top_switches(const CablingPlan& plan,
                                        const std::vector<std::vector<std::uint32_t>>& neighbours) {
  std::vector<std::uint32_t> here, next;
  std::vector<bool> seen(plan.nodes().size(), false);
  for (std::uint32_t n = 0; n < plan.nodes().size(); ++n) {
    seen[n] = !plan.nodes()[n].is_switch;
    if (seen[n]) next.push_back(n);
  }
  std::size_t hops = 0;
  for (; !next.empty(); ++hops) {
    here = std::exchange(next, {});
    for (const std::uint32_t node : here) {
      for (const std::uint32_t neighbour : neighbours[node]) {
        if (!seen[neighbour]) next.push_back(neighbour);
        seen[neighbour] = true;
      }
    }
  }
  return hops > 2 ? here : std::vector<std::uint32_t>();
}

/// For each top switch, the cables to the second half of its neighbors.
std::vector<Candidate> second_halves(const CablingPlan& plan) {
  const std::vector<std::vector<std::uint32_t>> neighbours = neighbours_of_switches(plan);
  std::vector<Candidate> halves;
  for (const std::uint32_t top : top_switches(plan, neighbours)) {
    const std::uint32_t first_lost = neighbours[top][(neighbours[top].size() + 1) / 2];
    Candidate& half = halves.emplace_back();
    for (std::uint32_t c = 0; c < plan.cables().size(); ++c) {
      const Cable& cable = plan.cables()[c];
      const std::uint32_t a = cable.a.node.value();
      const std::uint32_t b = cable.b.node.value();
      if ((a == top && b >= first_lost) || (b == top && a >= first_lost)) half.push_back(c);
    }
  }
  return halves;
}

}  // namespace

void apply_damage(CablingPlan& plan, const Damage& damage, std::uint64_t seed) {
  if (damage.half_spines > 0) {
    Remains left{std::vector<bool>(plan.nodes().size(), true),
                 std::vector<bool>(plan.cables().size(), true)};
    take_out(plan, left, left.cable, second_halves(plan), damage.half_spines, damage.may_split,
             Random(seed, RandomPurpose::half_spines), "halves of top switches");
    plan.keep_cables(left.cable);
  }
  if (damage.dead_switches > 0) {
    Remains left{std::vector<bool>(plan.nodes().size(), true),
                 std::vector<bool>(plan.cables().size(), true)};
    std::vector<std::uint32_t> switches;
    for (std::uint32_t n = 0; n < plan.nodes().size(); ++n) {
      if (plan.nodes()[n].is_switch) switches.push_back(n);
    }
    take_out(plan, left, left.node, each_alone(switches), damage.dead_switches, damage.may_split,
             Random(seed, RandomPurpose::dead_switches), "switches");
    for (const std::uint32_t n : switches) {
      if (!left.node[n]) plan.remove_node(PlanNodeId(n));
    }
  }
  if (damage.dead_links > 0) {
    Remains left{std::vector<bool>(plan.nodes().size(), true),
                 std::vector<bool>(plan.cables().size(), true)};
    for (std::uint32_t n = 0; n < plan.nodes().size(); ++n) left.node[n] = !plan.nodes()[n].removed;
    std::vector<std::uint32_t> links;
    for (std::uint32_t c = 0; c < plan.cables().size(); ++c) {
      if (plan.joins_switches(plan.cables()[c])) links.push_back(c);
    }
    take_out(plan, left, left.cable, each_alone(links), damage.dead_links, damage.may_split,
             Random(seed, RandomPurpose::dead_links), "links between switches");
    plan.keep_cables(left.cable);
  }
}

}  // namespace pssp
