#pragma once

// How often routes run into each other under traffic that is not random: shifts, and hosts of one
// leaf that send to hosts of another one (docs/reference/engines/cassp.md derives what is counted).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/counts/route_contention.h"
#include "routing/engines/parts/counts/shift_counts.h"
#include "routing/engines/parts/tuning.h"

namespace pssp {

/// The counts of channels, kept up to date while trees come and go. Those of shifts are of all
/// trees; those of leaves only of the trees to one switch, which is chosen by set_leaf().
class StructuredCounts {
 public:
  /// Whether shifts of so large a fabric are counted: where they would take more than 1 GiB they
  /// are not, as if their weight were 0.
  static bool can_count_shifts(const Fabric& fabric);

  /// All counts 0.
  StructuredCounts(const Fabric& fabric, StructuredWeights weights);

  /// From now on what ends at this switch is counted; nothing does as yet.
  void set_leaf();
  /// All calls below are about the routes to this end port. They do nothing where it is no host.
  void set_destination(EndPortId destination) noexcept { destination_ = destination; }

  /// O(hops of all routes).
  void add_to_shifts(const RouteTree& tree);
  /// O(hops of one route from each leaf).
  void add_to_leaf(const RouteTree& tree);
  void add(const RouteTree& tree) {
    add_to_shifts(tree);
    add_to_leaf(tree);
  }

  /// Routes that are looked at together, over one channel after the other.
  struct Sources {
    struct Leaf {
      std::uint32_t number;
      std::uint32_t endpoints;
    };
    std::vector<ShiftCounts::Positions> positions;
    std::vector<Leaf> leaves;
  };
  /// Those to the present destination from the endpoints at these switches, none twice.
  void find(std::span<const std::uint32_t> switches, Sources& sources) const;
  /// What they would meet on the channel, weighted; or do, if they are `counted` there.
  /// O(endpoints).
  double met(std::uint32_t channel, const Sources& sources, bool counted) const;
  /// Adds them to the channel, or takes them out again (`sign` -1). O(endpoints).
  void change(std::uint32_t channel, const Sources& sources, int sign);

  /// Weighted pairs of routes that are on at once in shifts, and of those to the present leaf.
  double pairs_in_shifts() const;
  double pairs_to_leaf() const;

 private:
  void change_leaf(std::uint32_t channel, std::uint32_t leaf, int sign);

  const Fabric& fabric_;
  double of_shifts_;  // weight of a pair, as the next: the hosts are in it
  bool by_hot_spots_;
  double of_leaves_;
  EndPortId destination_;
  std::optional<ShiftCounts> shifts_;      // none: without weight, or too large
  std::vector<std::uint32_t> leaf_;        // number of the leaf by SwitchId; none elsewhere
  std::size_t leaves_ = 0;                 // 0: without weight
  std::vector<std::uint16_t> to_leaf_;     // destinations, by ChannelId and leaf of the source
  std::vector<std::size_t> not_all_zero_;  // of these, the places that were ever raised
};

/// Weighted pairs of routes (or hot spots) that are on at once in structured traffic, of all first
/// LIDs, counted again. O(hops of all routes + channels * hosts).
double structured_pairs(const Fabric& fabric, const ForwardingTables& tables,
                        StructuredWeights weights);

}  // namespace pssp
