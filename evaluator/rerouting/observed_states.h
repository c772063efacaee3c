#pragma once

// The effects on flows while tables were rewritten, from observed steps with their times, each with
// any number of entries. transient_states.h does the same for an order of writes without times,
// including credit loops.

#include <cstdint>
#include <span>
#include <vector>

#include "evaluator/rerouting/block_writes.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// An entry with a changed port.
struct EntryWrite {
  std::uint32_t at_switch = 0;  ///< SwitchId of the fabric
  Lid lid = no_lid;
  PortNumber port = no_port;
};

/// The changes at a time, or between it and the time of the previous step.
struct SeenStep {
  std::int64_t time_ns = 0;
  std::vector<EntryWrite> writes;
};

/// Flows in a state, between hosts that have a route after the last step.
struct ObservedAffectedFlows {
  std::uint64_t at_first = 0;   ///< before the first step: the effect of the fault alone
  std::uint64_t flows = 0;      ///< at any step
  std::uint64_t most = 0;       ///< at the worst step
  std::int64_t longest_ns = 0;  ///< of the flow that was in the state longest
  friend bool operator==(const ObservedAffectedFlows&, const ObservedAffectedFlows&) = default;
};

struct ObservedStates {
  ObservedAffectedFlows no_route, loop;
  /// By transient state: before the first step, after it, and so on.
  std::vector<std::uint64_t> without_route, in_a_loop;
};

/// `old_tables`: the previous tables by the switches of the new fabric. `begin_ns`: when the
/// effects of the fault began. Steps must be in the order of time; a switch and LID may occur in
/// several steps. O(LIDs that change * switches + writes * depth of the trees).
ObservedStates observed_states(const Fabric& fabric, const ForwardingTables& old_tables,
                               std::int64_t begin_ns, std::span<const SeenStep> steps);

/// Converts block writes with known times to one step per write. `times_ns`: one per write,
/// ascending. O(writes).
std::vector<SeenStep> steps_of_writes(std::span<const BlockWrite> order,
                                      std::span<const std::int64_t> times_ns,
                                      const ForwardingTables& new_tables);

}  // namespace pssp
