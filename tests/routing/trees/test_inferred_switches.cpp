#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "routing/engines/heal.h"
#include "routing/trees/inferred_links.h"
#include "routing/trees/numbered_tree.h"
#include "routing/trees/tree_levels.h"
#include "routing/verify/verify.h"
#include "topologies/registry.h"

using namespace pssp;

namespace {

/// Names of the neighbors of a switch.
using Neighbours = std::set<std::string>;

Neighbours neighbours(const Fabric& fabric, std::uint32_t s) {
  Neighbours found;
  for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
    found.insert(fabric.switch_at(SwitchId(fabric.channel_head()[c])).description);
  }
  return found;
}

/// Upper switches that the damaged fabric lacks.
struct Gone {
  std::multiset<Neighbours> switches;  ///< for each switch, its neighbors that still exist
  std::size_t unused = 0;  ///< how many are line modules without leaves (level 3 of chic)
};

Gone switches_gone(const Fabric& whole, const Fabric& damaged) {
  Neighbours left;
  for (const Switch& each : damaged.switches()) left.insert(each.description);
  const std::vector<std::uint32_t> levels = switch_ranks(whole);
  Gone gone;
  for (std::uint32_t s = 0; s < whole.switch_count(); ++s) {
    if (levels[s] == 0 || left.contains(whole.switch_at(SwitchId(s)).description)) continue;
    Neighbours would_have;
    for (const std::string& name : neighbours(whole, s)) {
      if (left.contains(name)) would_have.insert(name);
    }
    gone.switches.insert(would_have);
    if (levels[s] > 2) ++gone.unused;
  }
  return gone;
}

std::multiset<Neighbours> switches_inferred(const Fabric& damaged) {
  std::map<std::uint32_t, Neighbours> found;
  for (const InferredLink& link : infer_links(damaged)) {
    if (link.b.at.value() < damaged.switch_count()) continue;
    found[link.b.at.value()].insert(damaged.switch_at(link.a.at).description);
  }
  std::multiset<Neighbours> inferred;
  for (const auto& [s, names] : found) inferred.insert(names);
  return inferred;
}

}  // namespace

TEST_CASE("nearly all missing switches are inferred in 200 damaged trees with permuted ports") {
  std::size_t missing = 0;
  std::size_t right = 0;
  std::size_t wrong = 0;
  const std::vector<std::string> families{"chic",
                                          "xgft 8,8,8 1,4,4",
                                          "k-ary-n-tree 4 3",
                                          "k-ary-n-tree 5 3",
                                          "xgft 6,6,4 1,3,3",
                                          "xgft 8,4,6 1,4,4 --parallel 2",
                                          "xgft 24,20 1,16",
                                          "xgft 16,8,4 1,4,8"};
  for (unsigned seed = 1; seed <= 25; ++seed) {
    for (const std::string& family : families) {
      const std::string damage = " --kill-switches " + std::to_string(1 + seed % 3) +
                                 (seed % 5 == 0 ? " --kill-links 3" : "") + " --permute-ports" +
                                 (seed % 2 == 0 ? " --shuffle-guids" : "") + " --seed " +
                                 std::to_string(seed);
      const Fabric damaged = make_fabric(family + damage);
      Gone gone = switches_gone(make_fabric(family), damaged);
      const auto found = switches_inferred(damaged);
      // The leaves of a two-level tree are all alike, so a missing top switch cannot be detected.
      if (family != "xgft 24,20 1,16") missing += gone.switches.size() - gone.unused;
      for (const Neighbours& each : found) {
        const auto same = gone.switches.find(each);
        ++(same == gone.switches.end() ? wrong : right);
        if (same != gone.switches.end()) gone.switches.erase(same);
      }
    }
  }
  INFO(right << " right, " << wrong << " wrong of " << missing);
  CHECK(20 * right >= 19 * missing);
  CHECK(100 * wrong <= missing);
}

TEST_CASE("trees that are irregular by design lack no switch") {
  for (const char* spec :
       {"chic", "odin", "deimos", "thunderbird", "xgft 24,20 1,16 --uneven-hosts 8",
        "xgft 8,8,8 1,4,4 --uneven-hosts 3", "xgft 24,20 1,16 --half-spines 4",
        "xgft 8,8,8 1,4,4 --half-spines 4", "chic --absent-hosts 40 --permute-ports",
        "joined-trees --leafs 16,6 --hosts 18 --spines 8 --cables 12",
        "joined-trees --leafs 10,10 --hosts 20 --spines 10,8 --cables 20",
        "leaf-director --leafs 24 --hosts 384 --directors 2 --uplinks 4 --director-ports 144",
        "director-chain --directors 2 --cables 30 --hosts 220 --director-ports 144"}) {
    INFO(spec);
    CHECK(switches_inferred(make_fabric(spec)).empty());
  }
}

TEST_CASE("heal routes trees with missing switches") {
  for (const char* spec :
       {"chic --kill-switches 4 --seed 2", "xgft 8,8,8 1,4,4 --kill-switches 3 --permute-ports",
        "k-ary-n-tree 4 3 --kill-switches 2 --lmc 1", "xgft 16,8,4 1,4,8 --kill-switches 3"}) {
    INFO(spec);
    const NumberedTree tree = number_by_structure(make_fabric(spec));
    for (const HealBase base : {HealBase::dmodk, HealBase::pssp}) {
      const HealRouting heal_start = route_heal(tree.fabric, HealPlan{base, {}});
      CHECK(verify(tree.fabric, heal_start.tables).usable());
    }
  }
}
