// LID by LID, what can stay of the previous tree is kept and the rest is made anew (tree_repair.h),
// against the loads of all trees that are whole. Two kinds of moves follow, both judged by how many
// pairs of routes merge (tree_under_change.h):
//
// - Entries that had to change anyway are moved to where they do least harm. That costs nothing.
// - Entries that could stay are moved where the change of the fabric asks for it: where their way
//   leads over a channel that has become busier, or could lead over one that nobody used before (a
//   link that came back, a new switch), and their routes would merge with fewer others by the share
//   that the options say. Imbalance that was there before the change is left alone.
//
// A tree whose entries all stay is looked at once and never again, unless a channel as above
// concerns it.

#include "routing/repair/stable_rerouting.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "routing/engines/parts/route_merges.h"
#include "routing/engines/parts/tree_under_change.h"
#include "routing/repair/tree_repair.h"

namespace pssp {
namespace {

constexpr std::string_view work_name = "stable rerouting";

/// LIDs that lead to one switch.
struct Group {
  SwitchId at;
  std::vector<Lid> lids;
};

/// The LIDs of endpoints, or all others, by the switch they lead to.
std::vector<Group> groups_of(const Fabric& fabric, bool endpoints) {
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

/// The entries for LIDs that lead somewhere; no_port elsewhere.
ForwardingTables entries_in_use(const Fabric& fabric, const ForwardingTables& previous) {
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const auto row = previous.row(SwitchId(s));
    for (const Lid lid : fabric.lids()) {
      if (lid < row.size() && fabric.delivery(lid).at.valid())
        tables.set(SwitchId(s), lid, row[lid]);
    }
  }
  return tables;
}

/// Channels for whose sake entries are moved that could stay.
struct ChangedChannels {
  std::vector<std::uint8_t> busier;  // by ChannelId
  std::vector<std::uint8_t> unused;  // by all previous entries
  bool any_busier = false, any_unused = false;
};

class StableRouter {
 public:
  StableRouter(const Fabric& fabric, const ForwardingTables& previous, const StableOptions& options,
               const StopSignal& stop)
      : fabric_(fabric),
        previous_(previous),
        options_(options),
        stop_(stop),
        looks_left_(options.max_looks),
        tables_(entries_in_use(fabric, previous)),
        stay_(tables_),
        counts_(fabric),
        repair_(fabric, options.max_detour),
        repair_others_(fabric, options.keep_long_management_ways ? any_detour : options.max_detour),
        tree_(fabric, counts_, options.max_detour),
        home_(fabric.switch_count(), Inertia::no_home),
        may_move_(fabric.switch_count(), 0),
        over_busier_(fabric.switch_count(), 0),
        near_unused_(fabric.switch_count(), 0) {}

  StableRouting run() {
    const std::vector<Group> endpoints = groups_of(fabric_, true);
    const std::vector<Group> others = groups_of(fabric_, false);
    const std::vector<Group> broken = keep_whole_trees(endpoints, repair_, true);
    const std::vector<Group> broken_others = keep_whole_trees(others, repair_others_, false);
    std::vector<std::uint64_t> routes_before = routes_now();
    complete_trees(broken, repair_, &routes_before);
    refine(broken);
    if (options_.least_gain < 100) balance(endpoints, changed_channels(routes_before));
    complete_trees(broken_others, repair_others_, nullptr);
    const EntryChanges changes = count_changes();
    return {std::move(tables_), changes};
  }

 private:
  /// Returns the LIDs whose trees are not whole.
  std::vector<Group> keep_whole_trees(const std::vector<Group>& groups, TreeRepair& repair,
                                      bool count) {
    std::vector<Group> broken;
    for (const Group& group : groups) {
      stop_.check(work_name, group, groups);
      repair.set_root(group.at);
      clear_unreachable(group.lids, repair);
      Group left{group.at, {}};
      for (const Lid lid : group.lids) {
        if (!repair.keep(previous_, lid)) {
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

  void clear_unreachable(const std::vector<Lid>& lids, const TreeRepair& repair) {
    if (repair.switches().size() == fabric_.switch_count()) return;
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (repair.distance()[s] != unreachable_distance) continue;
      for (const Lid lid : lids) {
        tables_.set(SwitchId(s), lid, no_port);
        stay_.set(SwitchId(s), lid, no_port);
      }
    }
  }

  std::vector<std::uint64_t> routes_now() const {
    std::vector<std::uint64_t> routes(fabric_.channel_count());
    for (std::uint32_t c = 0; c < routes.size(); ++c) routes[c] = counts_.routes(c);
    return routes;
  }

  /// For endpoints: adds what the previous trees carried to `routes_before`.
  void complete_trees(const std::vector<Group>& broken, TreeRepair& repair,
                      std::vector<std::uint64_t>* routes_before) {
    for (const Group& group : broken) {
      stop_.check(work_name, group, broken);
      repair.set_root(group.at);
      for (const Lid lid : group.lids) {
        repair.keep(previous_, lid);
        repair.complete(counts_);
        if (routes_before != nullptr) {
          repair.add_previous_routes(*routes_before);
          if (options_.least_gain < 100) repair.rechoose_overrun(counts_);
          counts_.add(repair.tree());
        }
        write_repaired(lid, repair);
      }
    }
  }

  void write_repaired(Lid lid, const TreeRepair& repair) {
    const RouteTree tree = repair.tree();
    for (const std::uint32_t s : tree.switches) {
      tables_.set(SwitchId(s), lid, fabric_.channel_out_port()[tree.out_channel[s]]);
      if (!repair.could_stay(s)) stay_.set(SwitchId(s), lid, no_port);
    }
    set_delivery(lid);
  }

  /// At the LID's own switch.
  void set_delivery(Lid lid) {
    const Delivery delivery = fabric_.delivery(lid);
    if (tables_.at(delivery.at, lid) == delivery.port) return;
    tables_.set(delivery.at, lid, delivery.port);
    stay_.set(delivery.at, lid, no_port);
  }

  /// Moves the entries that have changed, and no others.
  void refine(const std::vector<Group>& broken) {
    for (const Group& group : broken) {
      stop_.check(work_name, group, broken);
      tree_.set_root(group.at);
      for (const Lid lid : group.lids) {
        tree_.read(tables_, lid);
        for (const std::uint32_t s : tree_.tree().switches) {
          may_move_[s] = tables_.at(SwitchId(s), lid) != stay_.at(SwitchId(s), lid) ? 1 : 0;
        }
        improve(lid, {may_move_, {}, 1});
      }
    }
  }

  /// The tree of the LID must have been read.
  void improve(Lid lid, const Inertia& inertia) {
    counts_.remove(tree_.tree());
    tree_.improve(looks_left_, inertia);
    tree_.write(tables_, lid);
    counts_.add(tree_.tree());
  }

  ChangedChannels changed_channels(const std::vector<std::uint64_t>& routes_before) const {
    ChangedChannels changed{std::vector<std::uint8_t>(routes_before.size(), 0),
                            find_unused_channels()};
    for (std::uint32_t c = 0; c < routes_before.size(); ++c) {
      const std::uint64_t now = counts_.routes(c);
      const bool is_busier = routes_before[c] * 100 < now * (100 - options_.least_gain);
      changed.busier[c] = is_busier && changed.unused[c] == 0 ? 1 : 0;
      changed.any_unused |= changed.unused[c] != 0;
      changed.any_busier |= changed.busier[c] != 0;
    }
    return changed;
  }

  /// Channels that no previous entry names, for any LID: links that have come since.
  std::vector<std::uint8_t> find_unused_channels() const {
    std::vector<std::uint8_t> unused(fabric_.channel_count(), 1);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      std::array<std::uint8_t, std::numeric_limits<PortNumber>::max() + 1> is_named{};
      for (const PortNumber port : previous_.row(SwitchId(s))) is_named[port] = 1;
      for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
        if (is_named[fabric_.channel_out_port()[c]] != 0) unused[c] = 0;
      }
    }
    return unused;
  }

  void balance(const std::vector<Group>& groups, const ChangedChannels& changed) {
    constexpr unsigned passes = 2;
    const std::vector<std::uint8_t> concerned = lids_over_busier(changed);
    for (unsigned pass = 0; pass < passes; ++pass) {
      for (const Group& group : groups) {
        stop_.check(work_name, group, groups);
        const bool can_use_unused = changed.any_unused && find_near_unused(group.at, changed);
        bool is_root_set = false;
        for (const Lid lid : group.lids) {
          if (looks_left_ == 0) return;
          if (!can_use_unused && concerned[lid] == 0) continue;
          if (!is_root_set) tree_.set_root(group.at);
          is_root_set = true;
          balance(lid, changed, can_use_unused);
        }
      }
    }
  }

  void balance(Lid lid, const ChangedChannels& changed, bool can_use_unused) {
    tree_.read(tables_, lid);
    const RouteTree tree = tree_.tree();
    over_busier_[tree.root] = 0;
    bool any = false;
    for (const std::uint32_t s : tree.switches) {
      const std::uint32_t out = tree.out_channel[s];
      over_busier_[s] =
          changed.busier[out] != 0 || over_busier_[fabric_.channel_head()[out]] != 0 ? 1 : 0;
      const bool is_concerned = over_busier_[s] != 0 || (can_use_unused && near_unused_[s] != 0);
      may_move_[s] = tree.routes[s] != 0 && is_concerned ? 1 : 0;
      any |= may_move_[s] != 0;
      const PortTarget stay = fabric_.behind(SwitchId(s), stay_.at(SwitchId(s), lid));
      home_[s] = stay.kind == PortTarget::Kind::channel ? stay.index : Inertia::no_home;
    }
    if (!any) return;
    improve(lid, {may_move_, home_, (100 - options_.least_gain) / 100.0});
  }

  /// By LID: its tree leads over a channel that became busier.
  std::vector<std::uint8_t> lids_over_busier(const ChangedChannels& changed) const {
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

  /// Finds the switches from which a shortest way to the root leads over an unused channel. False
  /// when there is none.
  bool find_near_unused(SwitchId root, const ChangedChannels& changed) {
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

  EntryChanges count_changes() const {
    EntryChanges changes;
    const std::size_t width = std::max(previous_.width(), tables_.width());
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      for (std::size_t lid = 0; lid < width; ++lid) {
        const PortNumber before = entry(previous_, s, lid);
        const PortNumber now = entry(tables_, s, lid);
        if (before == now) {
          changes.kept += before != no_port ? 1 : 0;
        } else if (before == no_port) {
          ++changes.added;
        } else if (now == no_port) {
          ++changes.removed;
        } else if (entry(stay_, s, lid) == no_port) {
          ++changes.replaced;
        } else {
          ++changes.moved;
        }
      }
    }
    return changes;
  }

  static PortNumber entry(const ForwardingTables& tables, std::uint32_t s, std::size_t lid) {
    return lid < tables.width() ? tables.row(SwitchId(s))[lid] : no_port;
  }

  const Fabric& fabric_;
  const ForwardingTables& previous_;
  StableOptions options_;
  const StopSignal& stop_;
  std::uint64_t looks_left_;
  ForwardingTables tables_;
  ForwardingTables stay_;  // the previous entries that could stay
  MergeCounts counts_;
  TreeRepair repair_;
  TreeRepair repair_others_;  // for LIDs of no endpoint
  TreeUnderChange tree_;

  // By SwitchId, of the LID at hand.
  std::vector<std::uint32_t> home_;
  std::vector<std::uint8_t> may_move_;
  std::vector<std::uint8_t> over_busier_;  // the way leads over a channel that became busier
  std::vector<std::uint8_t> near_unused_;  // a way could lead over a channel unused before
};

void require_in_range(const char* name, std::uint32_t value, std::uint32_t most) {
  if (value <= most) return;
  throw Error(ErrorKind::usage,
              fmt::format("stable rerouting: {} is {}; expected 0 .. {}", name, value, most));
}

}  // namespace

std::string describe(const EntryChanges& changes) {
  return fmt::format("{} entries kept, {} replaced, {} moved, {} added, {} removed", changes.kept,
                     changes.replaced, changes.moved, changes.added, changes.removed);
}

StableRouting reroute_stably(const Fabric& fabric, const ForwardingTables& previous,
                             const StableOptions& options, const StopSignal& stop) {
  require_in_range("max_detour", options.max_detour, max_stable_detour);
  require_in_range("least_gain", options.least_gain, 100);
  if (!fabric.has_lids()) {
    throw Error(ErrorKind::usage, "stable rerouting: the fabric has no LIDs; give it some first");
  }
  if (previous.switch_count() != fabric.switch_count()) {
    throw Error(ErrorKind::mismatch,
                fmt::format("stable rerouting: the previous tables are of {} switches, the fabric "
                            "has {}; bring them into its numbering first",
                            previous.switch_count(), fabric.switch_count()));
  }
  return StableRouter(fabric, previous, options, stop).run();
}

}  // namespace pssp
