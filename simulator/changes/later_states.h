#pragma once

// The changes of a fabric during a run.

#include <vector>

#include "evaluator/rerouting/fabric_change.h"
#include "evaluator/rerouting/write_order_file.h"
#include "simulator/delivery/reliable_delivery.h"
#include "simulator/simulated_time.h"

namespace pssp {

/// From `time` on, the fabric is changed and gets new tables.
struct LaterState {
  SimulatedTime time = 0;          ///< when links fail and appear
  RoutedState state;               ///< its service levels are ignored: connections keep theirs
  SimulatedTime tables_after = 0;  ///< relative to `time`: when the writing of the tables begins
  SimulatedTime spread_over = 0;   ///< duration of writing; the last block comes at its end
  /// The order of the blocks, and optionally their times, which then replace the two times above.
  /// None: opensm's order.
  WriteOrder order{};
};

struct LaterStates {
  std::vector<LaterState> states;  ///< by time; each begins when the previous tables are written
  RetryRules retry;
};

/// The blocks that a subnet manager writes between two states, in opensm's order, with the switches
/// of the fabric afterwards. Throws Error(mismatch) for two different fabrics. O(LIDs * switches).
std::vector<BlockWrite> writes_between(const RoutedState& before, const RoutedState& after);

/// When the last block of a state is written. O(1).
SimulatedTime last_write(const LaterState& later);

}  // namespace pssp
