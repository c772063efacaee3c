#pragma once

// What flows suffered while tables were rewritten, by what was seen of the rewriting: steps with
// their times, each of any number of entries. transient_states.h asks the same of an order of
// writes that no one timed, and of its credit loops.

#include <cstdint>
#include <span>
#include <vector>

#include "evaluator/rerouting/block_writes.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// An entry that has another port than before.
struct EntryWrite {
  std::uint32_t at_switch = 0;  ///< SwitchId of the fabric
  Lid lid = no_lid;
  PortNumber port = no_port;
};

/// What changed at a time, or between it and the time of the step before.
struct SeenStep {
  std::int64_t time_ns = 0;
  std::vector<EntryWrite> writes;
};

/// Flows in a state, between hosts that have a route once the last step is done.
struct ObservedAffectedFlows {
  std::uint64_t at_first = 0;   ///< before the first step: what the fault alone has done
  std::uint64_t flows = 0;      ///< at some step
  std::uint64_t most = 0;       ///< at the worst one
  std::int64_t longest_ns = 0;  ///< of the flow that was so for the longest time
  friend bool operator==(const ObservedAffectedFlows&, const ObservedAffectedFlows&) = default;
};

struct ObservedStates {
  ObservedAffectedFlows no_route, loop;
  /// By moment: before the first step, after it, and so on.
  std::vector<std::uint64_t> without_route, in_a_loop;
};

/// `old_tables`: those of before, by the switches of the fabric afterwards. `begin_ns`: when what
/// the fault has done began. Steps are in the order of time; a switch and LID may come at several.
/// O(LIDs that change * switches + writes * depth of the trees).
ObservedStates observed_states(const Fabric& fabric, const ForwardingTables& old_tables,
                               std::int64_t begin_ns, std::span<const SeenStep> steps);

/// The steps of an order of block writes of which the times are known: a step for each write.
/// `times_ns`: as many, ascending. O(writes).
std::vector<SeenStep> steps_of_writes(std::span<const BlockWrite> order,
                                      std::span<const std::int64_t> times_ns,
                                      const ForwardingTables& new_tables);

}  // namespace pssp
