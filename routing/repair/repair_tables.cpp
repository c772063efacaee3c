// Each baseline entry that can stay stays. An entry that cannot is replaced round-robin among the
// entries of its old port (TreeRepair::take_turns()), and deviates from this choice only if its
// routes then contend with fewer others by least_gain; so does a valid entry whose path has become
// busier. The tables before the event are ignored; otherwise tables would depend on the order of
// events, and past events would have lasting effects. Still, few entries change, because the choice
// depends only on the baseline and on what is missing near a switch, not on distant faults.

#include "routing/repair/repair_tables.h"

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "fabric/paths/hop_distances.h"
#include "routing/repair/stable_router.h"

namespace pssp {
namespace {

/// Determines which changed entries could have stayed.
class StayEvaluator {
 public:
  StayEvaluator(const Fabric& fabric, const ForwardingTables& before, std::uint32_t max_extra_hops)
      : fabric_(fabric), before_(before), max_extra_hops_(max_extra_hops), search_(fabric) {}

  /// Whether the entry led to the destination within the allowed number of extra hops.
  bool operator()(SwitchId s, Lid lid) {
    const Delivery delivery = fabric_.delivery(lid);
    const PortTarget target = fabric_.behind(s, before_.at(s, lid));
    if (!delivery.at.valid() || delivery.at == s) return false;
    if (target.kind != PortTarget::Kind::channel) return false;
    const std::vector<std::uint32_t>& distance = distance_to(delivery.at);
    return distance[fabric_.channel_head()[target.index]] < distance[s.value()] + max_extra_hops_;
  }

 private:
  const std::vector<std::uint32_t>& distance_to(SwitchId root) {
    const auto [place, is_new] = distance_.try_emplace(root.value());
    if (is_new) {
      search_.search(root);
      place->second.assign(search_.distance().begin(), search_.distance().end());
    }
    return place->second;
  }

  const Fabric& fabric_;
  const ForwardingTables& before_;
  std::uint32_t max_extra_hops_;
  HopDistances search_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> distance_;  // by destination switch
};

ForwardingTables repaired_tables(const Fabric& fabric, const RepairStart& start,
                                 const StableOptions& options, const StopSignal& stop) {
  StableRouter router(fabric,
                      {.previous = start.baseline,
                       .cost_before = start.cost_at_baseline,
                       .is_baseline = true,
                       .preference = start.preference},
                      options, stop);
  if (router.keep() && router.costs_as_before()) return router.take_tables();
  router.finish();
  return router.take_tables();
}

}  // namespace

EntryChanges changes_since(const Fabric& fabric, const ForwardingTables& before,
                           const ForwardingTables& now, std::uint32_t max_extra_hops) {
  StayEvaluator could_stay(fabric, before, max_extra_hops);
  return count_changes(before, now, std::ref(could_stay));
}

StableRouting repair(const Fabric& fabric, const RepairStart& start, const StableOptions& options,
                     const StopSignal& stop) {
  require_possible(fabric, start.baseline, options);
  StableRouting made{repaired_tables(fabric, start, options, stop), {}};
  made.changes = changes_since(fabric, start.baseline, made.tables, options.max_extra_hops);
  return made;
}

}  // namespace pssp
