#pragma once

// Between two tables: what flows suffer while the blocks are written one after the other.
//
// A moment is the time from one write to the next; moment 0 is before the first write, when the
// fabric has changed already and its tables have not. Flows are those between hosts of the fabric
// afterwards that have a route there at the end: what stays lost is no matter of the order.

#include <cstdint>
#include <span>
#include <vector>

#include "base/stop_signal.h"
#include "evaluator/rerouting/block_writes.h"
#include "evaluator/rerouting/changing_tree.h"

namespace pssp {

/// Flows that are in a state at some moment, and for how many moments.
struct AffectedFlows {
  std::uint64_t at_first = 0;  ///< flows at moment 0: what the fault alone has done
  std::uint64_t flows = 0;     ///< at some moment
  std::uint64_t most = 0;      ///< at the worst moment
  std::uint64_t longest = 0;   ///< moments in that state, of the flow that was longest in it
  friend bool operator==(const AffectedFlows&, const AffectedFlows&) = default;
};

/// What one order of writes does.
struct OrderImpact {
  AffectedFlows no_route;  ///< the way ends at a dead port or a missing entry
  AffectedFlows loop;      ///< the way leads in a cycle
  /// Moments at which the routes that end have a credit loop on some lane. What loops is one by
  /// itself and counts above.
  std::uint64_t credit_loop_states = 0;
  std::uint64_t first_credit_loop = 0;  ///< the first of these moments
  std::vector<ChannelId> credit_loop;   ///< one of that moment; empty if there is none ever
  bool new_tables_have_one = false;     ///< so it stays, whatever the order
  friend bool operator==(const OrderImpact&, const OrderImpact&) = default;
};

/// The tables before and after, both by the fabric afterwards. What it names must outlive it.
struct TableMixture {
  const Fabric& fabric;
  const ForwardingTables& old_tables;  ///< as by tables_before_writing()
  const ForwardingTables& new_tables;
  /// Of the routes; connections keep those that they began with. None: all have one.
  const ServiceLevels* levels = nullptr;
};

/// Immutable: several threads may ask for several orders.
class TransientStates {
 public:
  /// `mixture` must outlive the object. O(LIDs * switches) for each level that occurs.
  explicit TransientStates(const TableMixture& mixture);

  /// `order`: each block that differs exactly once (table_changes()); the first write ends moment
  /// 0. O(LIDs that change * switches + changed entries * depth of the trees + dependencies of
  /// channels), for each level that occurs.
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
