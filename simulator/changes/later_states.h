#pragma once

// What a run is told of a fabric that changes while it runs.

#include <vector>

#include "evaluator/rerouting/fabric_change.h"
#include "evaluator/rerouting/write_order_file.h"
#include "simulator/delivery/reliable_delivery.h"
#include "simulator/simulated_time.h"

namespace pssp {

/// From a time on the fabric is another one, and gets other tables.
struct LaterState {
  SimulatedTime time = 0;          ///< links fail and come
  RoutedState state;               ///< service levels are not looked at: connections keep theirs
  SimulatedTime tables_after = 0;  ///< from `time` on; the writing of the tables begins
  SimulatedTime spread_over = 0;   ///< and lasts so long: the last block is written at its end
  /// The blocks in the order in which they are written, and when, where it says so: then the two
  /// times above do not count. None: opensm's order.
  WriteOrder order{};
};

struct LaterStates {
  std::vector<LaterState> states;  ///< by time; each begins when the tables before are written
  RetryRules retry;
};

/// The blocks that a subnet manager writes from one state to the next, in opensm's order; of the
/// fabric afterwards. Throws Error(mismatch) where these are two fabrics. O(LIDs * switches).
std::vector<BlockWrite> writes_between(const RoutedState& before, const RoutedState& after);

/// When the last block of a state is written. O(1).
SimulatedTime last_write(const LaterState& later);

}  // namespace pssp
