// Home comes first: each entry of it that can stay does, so that what is handed over depends on
// home and on what is missing. Where an entry cannot stay, or what is missing has put more traffic
// on its way, the entry in force is the next to be asked. It has to give way only where another is
// better by least_gain, so that of many equally good choices each event makes the same one.

#include "routing/repair/mending.h"

#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "fabric/paths/hop_distances.h"
#include "routing/repair/stable_router.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

/// Asks who could have stayed of entries that are said to have changed.
class StayJudge {
 public:
  StayJudge(const Fabric& fabric, const ForwardingTables& before, std::uint32_t max_detour)
      : fabric_(fabric), before_(before), max_detour_(max_detour), search_(fabric) {}

  /// Whether the entry led on, and not too far around.
  bool operator()(SwitchId s, Lid lid) {
    const Delivery delivery = fabric_.delivery(lid);
    const PortTarget target = fabric_.behind(s, before_.at(s, lid));
    if (!delivery.at.valid() || delivery.at == s) return false;
    if (target.kind != PortTarget::Kind::channel) return false;
    const std::vector<std::uint32_t>& distance = distance_to(delivery.at);
    return distance[fabric_.channel_head()[target.index]] < distance[s.value()] + max_detour_;
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
  std::uint32_t max_detour_;
  HopDistances search_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> distance_;  // to each switch asked for
};

/// What is in force, with the columns of home for LIDs that it says nothing of.
ForwardingTables with_columns_of_home(const ForwardingTables& in_force,
                                      const ForwardingTables& home) {
  ForwardingTables tables(in_force.switch_count(), std::max(in_force.max_lid(), home.max_lid()));
  std::vector<std::uint8_t> is_known(tables.width(), 0);
  for (std::uint32_t s = 0; s < in_force.switch_count(); ++s) {
    const auto row = in_force.row(SwitchId(s));
    for (std::size_t lid = 0; lid < row.size(); ++lid) {
      if (row[lid] != no_port) is_known[lid] = 1;
    }
  }
  for (std::uint32_t s = 0; s < in_force.switch_count(); ++s) {
    for (std::size_t i = 0; i < tables.width(); ++i) {
      const auto lid = static_cast<Lid>(i);
      const ForwardingTables& from = is_known[lid] != 0 ? in_force : home;
      if (lid < from.width()) tables.set(SwitchId(s), lid, from.at(SwitchId(s), lid));
    }
  }
  return tables;
}

ForwardingTables mended_tables(const Fabric& fabric, const MendingStart& start,
                               const StableOptions& options, const StopSignal& stop) {
  StableRouter router(fabric,
                      {.previous = start.home,
                       .in_force = start.in_force,
                       .cost_before = start.cost_at_home,
                       .is_home = true,
                       .ranks = start.ranks},
                      options, stop);
  const bool is_whole = router.keep();
  if (is_whole && router.costs_as_before()) return router.take_tables();
  if (start.same_cables && start.in_force != nullptr) {
    StableOptions without_balance = options;
    without_balance.least_gain = 100;
    const ForwardingTables previous = with_columns_of_home(*start.in_force, start.home);
    StableRouter holder(fabric, {.previous = previous, .ranks = start.ranks}, without_balance,
                        stop);
    holder.keep();
    holder.finish();
    return holder.take_tables();
  }
  router.finish();
  return router.take_tables();
}

/// Whether a packet for the LID that goes down from a switch goes up or along a level again.
bool turns_up(const Fabric& fabric, const ForwardingTables& tables,
              std::span<const std::uint32_t> ranks, std::uint32_t s, Lid lid) {
  const PortTarget first = fabric.behind(SwitchId(s), tables.at(SwitchId(s), lid));
  if (first.kind != PortTarget::Kind::channel) return false;
  const std::uint32_t next = fabric.channel_head()[first.index];
  if (ranks[next] > ranks[s]) return false;
  if (ranks[next] == ranks[s]) return true;
  const PortTarget second = fabric.behind(SwitchId(next), tables.at(SwitchId(next), lid));
  return second.kind == PortTarget::Kind::channel &&
         ranks[fabric.channel_head()[second.index]] >= ranks[next];
}

}  // namespace

std::vector<std::uint32_t> legal_ranks(const Fabric& fabric, const ForwardingTables& tables) {
  std::vector<std::uint32_t> ranks = switch_ranks(fabric);
  if (!is_tree(fabric, ranks)) return {};
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    for (const Lid lid : fabric.lids()) {
      if (lid > tables.max_lid() || !fabric.is_endpoint_lid(lid)) continue;
      if (turns_up(fabric, tables, ranks, s, lid)) return {};
    }
  }
  return ranks;
}

StableRouting mend(const Fabric& fabric, const MendingStart& start, const StableOptions& options,
                   const StopSignal& stop) {
  require_possible(fabric, start.home, options);
  if (start.in_force != nullptr) require_possible(fabric, *start.in_force, options);
  StableRouting made{mended_tables(fabric, start, options, stop), {}};
  const ForwardingTables& before = start.in_force != nullptr ? *start.in_force : start.home;
  StayJudge could_stay(fabric, before, options.max_detour);
  made.changes = count_changes(before, made.tables, std::ref(could_stay));
  return made;
}

}  // namespace pssp
