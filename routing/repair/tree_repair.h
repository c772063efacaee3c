#pragma once

// The tree of one LID after a change of the fabric: what can stay of it, and the rest made again.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_distances.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/counts/route_contention.h"

namespace pssp {

/// Ways that arrive can stay whatever their length, and new ones are as short as these allow.
constexpr std::uint32_t any_nonminimal_path = 1U << 24;

/// Serves many LIDs and allocates only once.
class TreeRepair {
 public:
  /// No path becomes longer than the shortest by more than `max_extra_hops` hops, or
  /// any_nonminimal_path. With `order` all paths are the shortest that are legal by it, and
  /// max_extra_hops is 0.
  TreeRepair(const Fabric& fabric, std::uint32_t max_extra_hops,
             const UpDownOrder* order = nullptr);

  /// Prepares for trees towards `root`. O(switches + channels).
  void set_root(SwitchId root);

  /// Switches that reach the root, nearest first (the root itself is the first).
  std::span<const std::uint32_t> switches() const noexcept {
    return by_order_ ? by_order_->order() : distances_.order();
  }
  /// Hops to the root, by SwitchId.
  std::span<const std::uint32_t> distance() const noexcept {
    return by_order_ ? by_order_->distance() : distances_.distance();
  }
  /// Whether the channel out of switch s is the first of a minimal path, or of a legal one.
  bool is_next_hop(std::uint32_t s, std::uint32_t channel) const noexcept {
    return by_order_ ? by_order_->is_next_hop(s, channel) : distances_.is_next_hop(s, channel);
  }

  /// Takes the entries of `previous` for `lid`, whatever they are, and keeps those that lead to the
  /// root on paths short enough. True when that is the whole tree. O(switches).
  bool keep(const ForwardingTables& previous, Lid lid);

  /// For complete(): where the previous entry cannot stay, of the nearest paths the one is taken
  /// whose turn it is among all LIDs that the switch had forwarded by the same port before. So it
  /// hangs on `previous` and on what is missing near the switch, and on nothing else. Until the
  /// next keep(), which comes before. `previous` must outlive complete().
  void take_turns(const ForwardingTables& previous, Lid lid);

  /// Gives the switches that are left a way: the previous entry where it fits after all, else
  /// the one in turn, else the way over channels with the fewest routes. With max_extra_hops 0 only
  /// entries that do not lead nearer to the root are replaced, which is the least there can be.
  /// Expects keep(). O(switches) and O(degree) for each entry that is replaced.
  void complete(const MergeCounts& counts);

  /// Chooses again at switches that could keep their entry, where at least twice as many routes
  /// come through as the previous entries brought there: what was made for hardly any traffic is no
  /// guide. Expects complete(). Does nothing with max_extra_hops > 0. O(channels).
  void rechoose_overrun(const MergeCounts& counts);

  /// Adds to `load`, by ChannelId, the routes that the kept entries carried before: up to the first
  /// entry that was replaced. Expects complete().
  void add_previous_routes(std::span<std::uint64_t> load) const;

  /// The tree as it is now; valid until the next call. Expects keep() to have found the whole tree,
  /// or complete().
  RouteTree tree() const;

  /// True where the previous entry could stay, whether it did or not.
  bool could_stay(std::uint32_t s) const noexcept { return could_stay_[s] != 0; }

 private:
  std::uint32_t channel_of(const ForwardingTables& tables, std::uint32_t s, Lid lid) const;
  bool fits(std::uint32_t s, std::uint32_t channel) const;
  void settle(std::uint32_t s, std::uint32_t channel);
  bool keep_nearer();
  bool keep_arriving();
  void count_routes();
  double cost(std::uint32_t channel, const MergeCounts& counts) const;
  std::uint32_t cheapest(std::uint32_t s, const MergeCounts& counts) const;
  void start_by_distance();
  std::uint32_t replacement(std::uint32_t s, const MergeCounts& counts) const;
  std::uint32_t in_turn(std::uint32_t s) const;

  const Fabric& fabric_;
  std::uint32_t max_extra_hops_;
  std::uint32_t root_ = 0;
  HopDistances distances_;
  std::optional<UpDownDistances> by_order_;  // searched instead where there is an order

  // By SwitchId.
  std::vector<std::uint32_t> previous_;  // channel of the previous entry
  std::vector<std::uint32_t> out_;       // channel of the entry
  std::vector<std::uint32_t> hops_;      // to the root along the tree; none where not settled
  std::vector<std::uint32_t> routes_;    // through the switch
  std::vector<std::uint32_t> used_;      // those that previous entries brought there
  std::vector<double> cost_;             // routes on the channels of the way to the root
  std::vector<std::uint8_t> could_stay_;
  std::vector<std::uint32_t> first_child_, next_sibling_;  // of the previous tree

  const ForwardingTables* turns_ = nullptr;  // that say whose turn it is; null: no one's
  Lid turn_of_ = no_lid;

  std::vector<std::uint32_t> order_;  // switches with a way, each behind the one it forwards to
};

}  // namespace pssp
