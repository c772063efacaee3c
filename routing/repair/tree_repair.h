#pragma once

// Repairs the tree of one LID after a change of the fabric.

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

/// Valid paths of any length can stay, and new paths are as short as these allow.
constexpr std::uint32_t any_nonminimal_path = 1U << 24;

/// Can be used for many LIDs; allocates memory only once.
class TreeRepair {
 public:
  /// Paths may exceed the minimal hop count by at most `max_extra_hops`, or any_nonminimal_path.
  /// With `order`, all paths are minimal among those legal by the order, and max_extra_hops must be
  /// 0.
  TreeRepair(const Fabric& fabric, std::uint32_t max_extra_hops,
             const UpDownOrder* order = nullptr);

  /// Prepares for trees towards `root`. O(switches + channels).
  void set_root(SwitchId root);

  /// Switches that reach the root, nearest first, beginning with the root.
  std::span<const std::uint32_t> switches() const noexcept {
    return by_order_ ? by_order_->order() : distances_.order();
  }
  /// Hops to the root, by SwitchId.
  std::span<const std::uint32_t> distance() const noexcept {
    return by_order_ ? by_order_->distance() : distances_.distance();
  }
  /// Whether a channel out of switch s begins a minimal path or, with an order, a legal one.
  bool is_next_hop(std::uint32_t s, std::uint32_t channel) const noexcept {
    return by_order_ ? by_order_->is_next_hop(s, channel) : distances_.is_next_hop(s, channel);
  }

  /// Keeps those of the previous entries for a LID, by SwitchId, that lead to the root on short
  /// enough paths. Returns whether this is the complete tree. O(switches).
  bool keep(std::span<const PortNumber> previous);

  /// For complete(): replaces invalid entries round-robin over the nearest paths, among all LIDs
  /// that the switch forwarded by the same port before. The choice depends only on `previous` and
  /// on what is missing near the switch. Call it after keep(); it applies until the next keep().
  /// `previous` must outlive complete().
  void take_turns(const ForwardingTables& previous, Lid lid);

  /// Gives the switches that are left a way: the previous entry where it fits after all, else
  /// the one in turn, else the way over channels with the fewest routes. With max_extra_hops 0 only
  /// entries that do not lead nearer to the root are replaced, which is the least there can be.
  /// Expects keep(). O(switches) and O(degree) for each entry that is replaced.
  void complete(const ContentionCounts& counts);

  /// Chooses again at switches that could keep their entry, where at least twice as many routes
  /// come through as the previous entries brought there: what was made for hardly any traffic is no
  /// guide. Expects complete(). Does nothing with max_extra_hops > 0. O(channels).
  void rechoose_overrun(const ContentionCounts& counts);

  /// Adds the routes that the kept entries carried before to `load` (by ChannelId), up to the first
  /// replaced entry. Requires complete().
  void add_previous_routes(std::span<std::uint64_t> load) const;

  /// The current tree; valid until the next call. Requires a complete tree from keep(), or
  /// complete().
  RouteTree tree() const;

  /// Whether the previous entry could stay, even if it was replaced.
  bool could_stay(std::uint32_t s) const noexcept { return could_stay_[s] != 0; }

 private:
  bool fits(std::uint32_t s, std::uint32_t channel) const;
  void settle(std::uint32_t s, std::uint32_t channel);
  std::uint32_t channel_behind(std::uint32_t s, PortNumber port) const;
  template <class Distances>
  bool keep_nearer(const Distances& distances, std::span<const PortNumber> previous);
  bool keep_arriving(std::span<const PortNumber> previous);
  void count_routes();
  void count_routes_of_whole();
  double cost(std::uint32_t channel, const ContentionCounts& counts) const;
  std::uint32_t cheapest(std::uint32_t s, const ContentionCounts& counts) const;
  void start_by_distance();
  std::uint32_t replacement(std::uint32_t s, const ContentionCounts& counts) const;
  std::uint32_t in_turn(std::uint32_t s) const;

  const Fabric& fabric_;
  std::uint32_t max_extra_hops_;
  std::uint32_t root_ = 0;
  HopDistances distances_;
  std::optional<UpDownDistances> by_order_;  // used instead if there is an order

  // By SwitchId.
  std::vector<std::uint32_t> previous_;  // channel of the previous entry
  std::vector<std::uint32_t> out_;       // channel of the entry
  std::vector<std::uint32_t> hops_;      // to the root along the tree; none if not settled
  std::vector<std::uint32_t> routes_;    // through the switch
  std::vector<std::uint32_t> used_;      // routes that previous entries brought to the switch
  std::vector<double> cost_;             // routes on the channels of the path to the root
  std::vector<std::uint8_t> could_stay_;
  std::vector<std::uint32_t> first_child_, next_sibling_;  // of the previous tree

  const ForwardingTables* turns_ = nullptr;  // for in_turn(); null: not used
  Lid turn_of_ = no_lid;

  std::vector<std::uint32_t> order_;  // settled switches, each after the one it forwards to
};

}  // namespace pssp
