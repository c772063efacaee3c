// LID by LID, what can stay of the previous tree is kept and the rest is made again
// (tree_repair.h), against the loads of all trees that are whole. Two kinds of moves follow, both
// evaluated by the contention of routes (tree_search.h):
//
// - Entries that had to change anyway move to their best position, at no extra cost.
// - Valid entries move if the change of the fabric requires it: their path uses a channel that has
//   become busier, or could use a channel that was unused before (a repaired link, a new switch),
//   and their routes would contend with fewer others by the percentage in the options. Earlier
//   imbalance stays.
//
// A tree whose entries all stay is read only once, unless it concerns such a channel.

#include "routing/repair/stable_router.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

namespace pssp {
namespace {

constexpr std::string_view work_name = "stable rerouting";
constexpr std::uint64_t seed = 1;

/// The entries for LIDs that have a destination; no_port elsewhere.
ForwardingTables entries_in_use(const Fabric& fabric, const ForwardingTables& previous) {
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  std::vector<Lid> in_use;
  for (const Lid lid : fabric.lids()) {
    if (lid < previous.width() && fabric.delivery(lid).at.valid()) in_use.push_back(lid);
  }
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const auto row = previous.row(SwitchId(s));
    for (const Lid lid : in_use) tables.set(SwitchId(s), lid, row[lid]);
  }
  return tables;
}

std::optional<UpDownOrder> order_to_keep(const Fabric& fabric, const StableStart& start,
                                         const StableOptions& options) {
  if (start.preference.empty() || options.max_extra_hops != 0) return std::nullopt;
  return usable_order(fabric, start.preference);
}

const UpDownOrder* address_of(const std::optional<UpDownOrder>& order) {
  return order ? &*order : nullptr;
}

}  // namespace

/// The LIDs of endpoints, or all other LIDs, grouped by destination switch.
std::vector<StableRouter::Group> StableRouter::groups_of(const Fabric& fabric, bool endpoints) {
  std::vector<Group> by_switch(fabric.switch_count());
  for (const Lid lid : fabric.lids()) {
    const Delivery delivery = fabric.delivery(lid);
    if (!delivery.at.valid() || fabric.is_endpoint_lid(lid) != endpoints) continue;
    by_switch[delivery.at.value()].at = delivery.at;
    by_switch[delivery.at.value()].lids.push_back(lid);
  }
  std::erase_if(by_switch, [](const Group& group) { return group.lids.empty(); });
  return by_switch;
}

StableRouter::StableRouter(const Fabric& fabric, const StableStart& start,
                           const StableOptions& options, const StopSignal& stop)
    : fabric_(fabric),
      start_(start),
      options_(options),
      stop_(stop),
      probes_left_(options.max_probes),
      previous_(start.previous),
      tables_(entries_in_use(fabric, start.previous)),
      stay_(tables_),
      counts_(fabric),
      order_(order_to_keep(fabric, start, options)),
      repair_(fabric, options.max_extra_hops, address_of(order_)),
      repair_others_(fabric,
                     options.keep_long_management_paths && !order_ ? any_nonminimal_path
                                                                   : options.max_extra_hops,
                     address_of(order_)),
      tree_(fabric, counts_, options.max_extra_hops, seed, address_of(order_)),
      endpoints_(groups_of(fabric, true)),
      others_(groups_of(fabric, false)),
      baseline_(fabric.switch_count(), Inertia::no_baseline),
      may_move_(fabric.switch_count(), 0),
      over_busier_(fabric.switch_count(), 0),
      near_unused_(fabric.switch_count(), 0) {
  if (start_.cost_before.empty()) start_.cost_before = fabric.channel_cost();
}

/// Keeps all valid entries. Returns whether these are all entries of the tables.
bool StableRouter::keep() {
  broken_ = keep_whole_trees(endpoints_, repair_, true);
  broken_others_ = keep_whole_trees(others_, repair_others_, false);
  return broken_.empty() && broken_others_.empty();
}

/// Called after keep(): computes the remaining entries, and balances.
void StableRouter::finish() {
  std::vector<std::uint64_t> routes_before = routes_now();
  complete_trees(broken_, repair_, &routes_before);
  refine();
  if (options_.least_gain < 100) {
    const ChangedChannels changed = changed_channels(routes_before);
    balance(changed);
  }
  complete_trees(broken_others_, repair_others_, nullptr);
}

bool StableRouter::costs_as_before() const {
  return std::ranges::equal(fabric_.channel_cost(), start_.cost_before);
}

/// Returns the LIDs whose trees are incomplete.
std::vector<StableRouter::Group> StableRouter::keep_whole_trees(const std::vector<Group>& groups,
                                                                TreeRepair& repair, bool count) {
  std::vector<Group> broken;
  for (const Group& group : groups) {
    stop_.check(work_name, group, groups);
    repair.set_root(group.at);
    clear_unreachable(group.lids, repair);
    Group left{group.at, {}};
    for (const Lid lid : group.lids) {
      if (!repair.keep(previous_.column(lid))) {
        left.lids.push_back(lid);
        continue;
      }
      set_delivery(lid);
      if (count) counts_.add(repair.tree());
    }
    if (!left.lids.empty()) broken.push_back(std::move(left));
  }
  return broken;
}

void StableRouter::clear_unreachable(const std::vector<Lid>& lids, const TreeRepair& repair) {
  if (repair.switches().size() == fabric_.switch_count()) return;
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    if (repair.distance()[s] != unreachable_distance) continue;
    for (const Lid lid : lids) {
      tables_.set(SwitchId(s), lid, no_port);
      stay_.set(SwitchId(s), lid, no_port);
    }
  }
}

std::vector<std::uint64_t> StableRouter::routes_now() const {
  std::vector<std::uint64_t> routes(fabric_.channel_count());
  for (std::uint32_t c = 0; c < routes.size(); ++c) routes[c] = counts_.routes(c);
  return routes;
}

/// For endpoints: adds the routes of the previous trees to `routes_before`.
void StableRouter::complete_trees(const std::vector<Group>& broken, TreeRepair& repair,
                                  std::vector<std::uint64_t>* routes_before) {
  for (const Group& group : broken) {
    stop_.check(work_name, group, broken);
    repair.set_root(group.at);
    for (const Lid lid : group.lids) {
      repair.keep(previous_.column(lid));
      if (start_.is_baseline) repair.take_turns(start_.previous, lid);
      repair.complete(counts_);
      if (routes_before != nullptr) {
        repair.add_previous_routes(*routes_before);
        if (options_.least_gain < 100 && !start_.is_baseline) repair.rechoose_overrun(counts_);
      }
      if (routes_before != nullptr) counts_.add(repair.tree());
      write_repaired(lid, repair);
    }
  }
}

void StableRouter::write_repaired(Lid lid, const TreeRepair& repair) {
  const RouteTree tree = repair.tree();
  for (const std::uint32_t s : tree.switches) {
    tables_.set(SwitchId(s), lid, fabric_.channel_out_port()[tree.out_channel[s]]);
    if (!repair.could_stay(s)) stay_.set(SwitchId(s), lid, no_port);
  }
  set_delivery(lid);
}

/// Sets the entry at the switch of the LID.
void StableRouter::set_delivery(Lid lid) {
  const Delivery delivery = fabric_.delivery(lid);
  if (tables_.at(delivery.at, lid) == delivery.port) return;
  tables_.set(delivery.at, lid, delivery.port);
  stay_.set(delivery.at, lid, no_port);
}

/// Moves only entries that have changed.
void StableRouter::refine() {
  for (const Group& group : broken_) {
    stop_.check(work_name, group, broken_);
    tree_.set_root(group.at);
    for (const Lid lid : group.lids) {
      tree_.read(tables_, lid);
      for (const std::uint32_t s : tree_.tree().switches) {
        may_move_[s] = tables_.at(SwitchId(s), lid) != stay_.at(SwitchId(s), lid) ? 1 : 0;
        // A replaced entry moves only to a better one, so that other events do not shift it.
        baseline_[s] = start_.is_baseline ? channel_of(tables_, s, lid) : Inertia::no_baseline;
      }
      improve(lid, {may_move_, baseline_, share()});
    }
  }
}

/// The caller must have read the tree of the LID.
void StableRouter::improve(Lid lid, const Inertia& inertia) {
  counts_.remove(tree_.tree());
  tree_.improve(probes_left_, inertia);
  tree_.write(tables_, lid);
  counts_.add(tree_.tree());
}

StableRouter::ChangedChannels StableRouter::changed_channels(
    const std::vector<std::uint64_t>& routes_before) const {
  ChangedChannels changed{std::vector<std::uint8_t>(routes_before.size(), 0),
                          find_unused_channels()};
  for (std::uint32_t c = 0; c < routes_before.size(); ++c) {
    const double before = start_.cost_before[c] * static_cast<double>(routes_before[c]);
    const double now = fabric_.channel_cost()[c] * counts_.routes(c);
    const bool is_busier = before < now * share();
    changed.busier[c] = is_busier && changed.unused[c] == 0 ? 1 : 0;
    changed.any_unused |= changed.unused[c] != 0;
    changed.any_busier |= changed.busier[c] != 0;
  }
  return changed;
}

/// Channels without a previous entry for any LID, such as new links. The baseline has none.
std::vector<std::uint8_t> StableRouter::find_unused_channels() const {
  std::vector<std::uint8_t> unused(fabric_.channel_count(), start_.is_baseline ? 0 : 1);
  if (start_.is_baseline) return unused;
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    std::array<std::uint8_t, std::numeric_limits<PortNumber>::max() + 1> is_named{};
    for (const PortNumber port : start_.previous.row(SwitchId(s))) is_named[port] = 1;
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      if (is_named[fabric_.channel_out_port()[c]] != 0) unused[c] = 0;
    }
  }
  return unused;
}

/// Finds the switches whose paths use a channel that became busier.
void StableRouter::find_over_busier(const RouteTree& tree, const ChangedChannels& changed) {
  over_busier_[tree.root] = 0;
  for (const std::uint32_t s : tree.switches) {
    const std::uint32_t out = tree.out_channel[s];
    over_busier_[s] =
        changed.busier[out] != 0 || over_busier_[fabric_.channel_head()[out]] != 0 ? 1 : 0;
  }
}

void StableRouter::balance(const ChangedChannels& changed) {
  constexpr unsigned passes = 2;
  const std::vector<std::uint8_t> concerned = lids_over_busier(changed);
  for (unsigned pass = 0; pass < passes; ++pass) {
    for (const Group& group : endpoints_) {
      stop_.check(work_name, group, endpoints_);
      const bool can_use_unused = changed.any_unused && find_near_unused(group.at, changed);
      bool is_root_set = false;
      for (const Lid lid : group.lids) {
        if (probes_left_ == 0) return;
        if (!can_use_unused && concerned[lid] == 0) continue;
        if (!is_root_set) tree_.set_root(group.at);
        is_root_set = true;
        balance(lid, changed, can_use_unused);
      }
    }
  }
}

void StableRouter::balance(Lid lid, const ChangedChannels& changed, bool can_use_unused) {
  tree_.read(tables_, lid);
  const RouteTree tree = tree_.tree();
  find_over_busier(tree, changed);
  bool any = false;
  for (const std::uint32_t s : tree.switches) {
    const bool is_concerned = over_busier_[s] != 0 || (can_use_unused && near_unused_[s] != 0);
    baseline_[s] = channel_of(stay_, s, lid);
    // An entry that was moved returns as soon as possible.
    const bool is_away = start_.is_baseline && baseline_[s] != Inertia::no_baseline &&
                         baseline_[s] != tree.out_channel[s];
    may_move_[s] = is_away || (tree.routes[s] != 0 && is_concerned) ? 1 : 0;
    any |= may_move_[s] != 0;
  }
  if (!any) return;
  improve(lid, {may_move_, baseline_, share()});
}

std::uint32_t StableRouter::channel_of(const ForwardingTables& tables, std::uint32_t s,
                                       Lid lid) const {
  const PortTarget target = fabric_.behind(SwitchId(s), tables.at(SwitchId(s), lid));
  return target.kind == PortTarget::Kind::channel ? target.index : Inertia::no_baseline;
}

/// By LID: whether its tree uses a channel that became busier.
std::vector<std::uint8_t> StableRouter::lids_over_busier(const ChangedChannels& changed) const {
  std::vector<std::uint8_t> concerned(fabric_.max_lid() + std::size_t{1}, 0);
  if (!changed.any_busier) return concerned;
  for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
    if (changed.busier[c] == 0) continue;
    const auto row = tables_.row(SwitchId(fabric_.channel_tail()[c]));
    for (std::size_t lid = 0; lid < row.size(); ++lid) {
      if (row[lid] == fabric_.channel_out_port()[c]) concerned[lid] = 1;
    }
  }
  return concerned;
}

/// Finds the switches from which a minimal path to the root uses an unused channel. Returns false
/// if there are none.
bool StableRouter::find_near_unused(SwitchId root, const ChangedChannels& changed) {
  repair_.set_root(root);
  const auto distance = repair_.distance();
  bool any = false;
  near_unused_[root.value()] = 0;
  for (const std::uint32_t s : repair_.switches().subspan(1)) {
    near_unused_[s] = 0;
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      const std::uint32_t next = fabric_.channel_head()[c];
      if (distance[next] >= distance[s]) continue;
      if (changed.unused[c] != 0 || near_unused_[next] != 0) near_unused_[s] = 1;
    }
    any |= near_unused_[s] != 0;
  }
  return any;
}

}  // namespace pssp
