#pragma once

// The effects on flows while the blocks of new tables are written one after the other.
//
// A transient state (here: moment) lasts from one write to the next; moment 0 is before the first
// write, when the fabric has changed and its tables have not. Considers flows between hosts of the
// new fabric that finally have a route, because other losses do not depend on the order.

#include <cstdint>
#include <span>
#include <vector>

#include "base/stop_signal.h"
#include "evaluator/rerouting/block_writes.h"
#include "evaluator/rerouting/changing_tree.h"

namespace pssp {

/// Flows that are in a state at some moment, and their durations in moments.
struct AffectedFlows {
  std::uint64_t at_first = 0;  ///< flows at moment 0: the effect of the fault alone
  std::uint64_t flows = 0;     ///< at any moment
  std::uint64_t most = 0;      ///< at the worst moment
  std::uint64_t longest = 0;   ///< moments of the flow that was in that state longest
  friend bool operator==(const AffectedFlows&, const AffectedFlows&) = default;
};

/// The effects of one order of writes.
struct OrderImpact {
  AffectedFlows no_route;  ///< the path ends at a dead port or a missing entry
  AffectedFlows loop;      ///< the path is a cycle
  /// Moments at which the complete routes have a credit loop on some lane. Loops are credit loops
  /// themselves, and are counted above.
  std::uint64_t credit_loop_states = 0;
  std::uint64_t first_credit_loop = 0;  ///< the first of these moments
  std::vector<ChannelId> credit_loop;   ///< one at that moment; empty if there is none
  bool new_tables_have_one = false;     ///< a credit loop stays with any order
  friend bool operator==(const OrderImpact&, const OrderImpact&) = default;
};

/// The tables before and after, both by the new fabric. The referenced objects must outlive it.
struct TableMixture {
  const Fabric& fabric;
  const ForwardingTables& old_tables;  ///< from tables_before_writing()
  const ForwardingTables& new_tables;
  /// Of the routes; connections keep their initial levels. None: all routes have one level.
  const ServiceLevels* levels = nullptr;
};

/// Immutable; can be used by several threads.
class TransientStates {
 public:
  /// `mixture` must outlive the object. O(LIDs * switches) per level in use.
  explicit TransientStates(const TableMixture& mixture);

  /// `order`: each changed block exactly once (table_changes()); the first write ends moment 0.
  /// O(LIDs that change * switches + changed entries * depth of the trees + dependencies of
  /// channels) per level in use.
  OrderImpact impact_of(std::span<const BlockWrite> order, const StopSignal& stop = {}) const;

 private:
  TableMixture mixture_;
  DependencyNumbers numbers_;
  std::vector<ServiceLevel> lanes_;
  std::vector<std::vector<std::uint32_t>> first_counts_;  // by lane: dependencies at moment 0
};

/// Order number `index` of a seed: all blocks in a random order.
std::vector<BlockWrite> random_order(std::span<const BlockWrite> writes, std::uint64_t seed,
                                     std::uint64_t index);

}  // namespace pssp
