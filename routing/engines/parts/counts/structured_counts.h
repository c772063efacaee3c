#pragma once

// Contention in structured traffic: shifts, and the hosts of one leaf that send to the hosts of
// another leaf (docs/explanation/routing-algorithms.md).

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

/// Counts for each channel, updated when trees are added or removed. The counts of shifts include
/// all trees; those of leaves only the trees to one switch, which set_leaf() starts anew.
class StructuredCounts {
 public:
  /// Whether the counts of shifts fit into 1 GiB; if not, the weight of shifts is 0.
  static bool can_count_shifts(const Fabric& fabric);

  /// All counts 0.
  StructuredCounts(const Fabric& fabric, StructuredWeights weights);

  /// Sets the counts of leaves to 0, before the trees to another switch are added.
  void set_leaf();
  /// The calls below concern the routes to this end port. They do nothing if it is no host.
  void set_destination(EndPortId destination) noexcept { destination_ = destination; }

  /// O(hops of all routes).
  void add_to_shifts(const RouteTree& tree);
  /// O(hops of one route from each leaf).
  void add_to_leaf(const RouteTree& tree);
  void add(const RouteTree& tree) {
    add_to_shifts(tree);
    add_to_leaf(tree);
  }

  /// Routes that are moved together.
  struct Sources {
    struct Leaf {
      std::uint32_t number;
      std::uint32_t endpoints;
    };
    std::vector<ShiftCounts::Positions> positions;
    std::vector<Leaf> leaves;
  };
  /// Finds the routes to the present destination from the endpoints at these switches, each once.
  void find(std::span<const std::uint32_t> switches, Sources& sources) const;
  /// Their weighted contention on the channel. `counted`: whether the counts of the channel include
  /// them. O(endpoints).
  double met(std::uint32_t channel, const Sources& sources, bool counted) const;
  /// Adds them to the channel, or removes them (`sign` -1). O(endpoints).
  void change(std::uint32_t channel, const Sources& sources, int sign);

  /// Weighted pairs of routes that share a channel in shifts, and in exchanges with the present
  /// leaf.
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

/// Weighted pairs of routes (or hot spots) in structured traffic between base LIDs, computed from
/// scratch. O(hops of all routes + channels * hosts).
double structured_pairs(const Fabric& fabric, const ForwardingTables& tables,
                        StructuredWeights weights);

}  // namespace pssp
