#pragma once

// The steps of bringing tables up to date, for who calls them in one order or another
// (stable_rerouting.h, repair.h). The essay is in the source.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/counts/route_contention.h"
#include "routing/engines/parts/local_search/tree_under_change.h"
#include "routing/repair/stable_rerouting.h"
#include "routing/repair/tree_repair.h"

namespace pssp {

/// What tables are brought up to date from, in the numbering of the fabric.
struct StableStart {
  const ForwardingTables& previous;
  /// By ChannelId, its cost (Fabric::channel_cost()) for the previous tables; empty: as it is.
  std::span<const double> cost_before = {};
  /// The previous tables are those of the whole fabric: entries that cannot stay take turns
  /// (TreeRepair::take_turns()), and what was moved comes back as soon as it can. Else channels
  /// that no previous entry names are taken for links that have come since.
  bool is_baseline = false;
  /// Switches by preference: all paths follow their usable_order(). Empty, or with extra hops: any
  /// paths are legal.
  std::span<const std::uint32_t> preference = {};
};

class StableRouter {
 public:
  /// All must outlive the object.
  StableRouter(const Fabric& fabric, const StableStart& start, const StableOptions& options,
               const StopSignal& stop);

  /// Keeps what can stay. True where that is all of the tables.
  bool keep();
  /// After keep(): makes the rest again, and balances.
  void finish();

  ForwardingTables take_tables() { return std::move(tables_); }
  /// After finish(): the previous entries that could stay, whether they did or not.
  const ForwardingTables& stay() const noexcept { return stay_; }
  /// Whether no channel costs more or less than it did for the previous tables.
  bool costs_as_before() const;

 private:
  /// LIDs that lead to one switch.
  struct Group {
    SwitchId at;
    std::vector<Lid> lids;
  };
  /// Channels for whose sake entries are moved that could stay.
  struct ChangedChannels {
    std::vector<std::uint8_t> busier;  // by ChannelId
    std::vector<std::uint8_t> unused;  // by all previous entries
    bool any_busier = false, any_unused = false;
  };

  static std::vector<Group> groups_of(const Fabric& fabric, bool endpoints);

  std::vector<Group> keep_whole_trees(const std::vector<Group>& groups, TreeRepair& repair,
                                      bool count);
  void clear_unreachable(const std::vector<Lid>& lids, const TreeRepair& repair);
  std::vector<std::uint64_t> routes_now() const;
  void complete_trees(const std::vector<Group>& broken, TreeRepair& repair,
                      std::vector<std::uint64_t>* routes_before);
  void write_repaired(Lid lid, const TreeRepair& repair);
  void set_delivery(Lid lid);
  void refine();
  void improve(Lid lid, const Inertia& inertia);

  ChangedChannels changed_channels(const std::vector<std::uint64_t>& routes_before) const;
  std::vector<std::uint8_t> find_unused_channels() const;
  void balance(const ChangedChannels& changed);
  void balance(Lid lid, const ChangedChannels& changed, bool can_use_unused);
  void find_over_busier(const RouteTree& tree, const ChangedChannels& changed);
  std::vector<std::uint8_t> lids_over_busier(const ChangedChannels& changed) const;
  bool find_near_unused(SwitchId root, const ChangedChannels& changed);

  double share() const noexcept { return (100 - options_.least_gain) / 100.0; }
  std::uint32_t channel_of(const ForwardingTables& tables, std::uint32_t s, Lid lid) const;

  const Fabric& fabric_;
  StableStart start_;
  StableOptions options_;
  const StopSignal& stop_;
  std::uint64_t probes_left_;
  ForwardingTables tables_;
  ForwardingTables stay_;  // the previous entries that could stay
  MergeCounts counts_;
  std::optional<UpDownOrder> order_;
  TreeRepair repair_;
  TreeRepair repair_others_;  // for LIDs of no endpoint
  TreeUnderChange tree_;
  std::vector<Group> endpoints_, others_;      // all LIDs
  std::vector<Group> broken_, broken_others_;  // those whose trees are not whole

  // By SwitchId, of the LID at hand.
  std::vector<std::uint32_t> baseline_;  // channel of the previous entry
  std::vector<std::uint8_t> may_move_;
  std::vector<std::uint8_t> over_busier_;  // the way leads over a channel that became busier
  std::vector<std::uint8_t> near_unused_;  // a way could lead over a channel unused before
};

}  // namespace pssp
