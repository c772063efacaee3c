#pragma once

// The steps of stable rerouting, which stable_rerouting.h and repair_tables.h combine differently.
// The source file describes the method.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/lid_major_tables.h"
#include "routing/engines/parts/counts/route_contention.h"
#include "routing/engines/parts/local_search/tree_search.h"
#include "routing/repair/stable_rerouting.h"
#include "routing/repair/tree_repair.h"

namespace pssp {

/// The starting point of rerouting, in the numbering of the fabric.
struct StableStart {
  const ForwardingTables& previous;
  /// By ChannelId: the cost (Fabric::channel_cost()) for the previous tables; empty: the current
  /// cost.
  std::span<const double> cost_before = {};
  /// The previous tables are those of the complete fabric: invalid entries are replaced round-robin
  /// (TreeRepair::take_turns()), and moved entries return as soon as possible. Otherwise, channels
  /// without previous entries count as new links.
  bool is_baseline = false;
  /// Switches in preference order: all paths follow their usable_order(). Empty, or with extra
  /// hops: any path is legal.
  std::span<const std::uint32_t> preference = {};
};

class StableRouter {
 public:
  /// All arguments must outlive the object.
  StableRouter(const Fabric& fabric, const StableStart& start, const StableOptions& options,
               const StopSignal& stop);

  /// Keeps all valid entries. Returns whether these are all entries of the tables.
  bool keep();
  /// Called after keep(): computes the remaining entries, and balances.
  void finish();

  ForwardingTables take_tables() { return std::move(tables_); }
  /// After finish(): the previous entries that could stay, even if they were moved.
  const ForwardingTables& stay() const noexcept { return stay_; }
  /// Whether the cost of every channel is the same as for the previous tables.
  bool costs_as_before() const;

 private:
  /// The LIDs of one destination switch.
  struct Group {
    SwitchId at;
    std::vector<Lid> lids;
  };
  /// Channels because of which valid entries move.
  struct ChangedChannels {
    std::vector<std::uint8_t> busier;  // by ChannelId
    std::vector<std::uint8_t> unused;  // by ChannelId: no previous entry uses it
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
  LidMajorTables previous_;
  ForwardingTables tables_;
  ForwardingTables stay_;  // the previous entries that could stay
  ContentionCounts counts_;
  std::optional<UpDownOrder> order_;
  TreeRepair repair_;
  TreeRepair repair_others_;  // for LIDs of no endpoint
  TreeSearch tree_;
  std::vector<Group> endpoints_, others_;      // all LIDs
  std::vector<Group> broken_, broken_others_;  // LIDs with incomplete trees

  // By SwitchId, for the current LID.
  std::vector<std::uint32_t> baseline_;  // channel of the previous entry
  std::vector<std::uint8_t> may_move_;
  std::vector<std::uint8_t> over_busier_;  // the path uses a channel that became busier
  std::vector<std::uint8_t> near_unused_;  // a path could use a channel that was unused before
};

}  // namespace pssp
