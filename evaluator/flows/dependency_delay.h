#pragma once

// How long a pattern takes when a rank sends on what it has received: metric dep_max_delay of the
// ORCS report (section 2.5).

#include <cstdint>
#include <span>
#include <vector>

#include "evaluator/patterns/flow.h"

namespace pssp {

/// The longest chain of flows in which each begins at the rank where the one before ended, one
/// level later. A flow is as long as its congestion. A rank that received nothing in the level
/// directly before sends at once, and sending does not wait for its own earlier sends: so ORCS
/// builds its graph. One object a thread.
class DependencyDelay {
 public:
  /// Only flows among the first `observed_ranks` count.
  explicit DependencyDelay(std::uint32_t observed_ranks);

  /// Begins a new run.
  void clear();
  /// Adds flows of the current level, in ranks. Infinite congestion: the flow is left out.
  void add(std::span<const Flow> ranks, std::span<const double> congestion);
  void end_level();
  /// Of all flows since clear(); 0 when there were none.
  double longest() const noexcept { return longest_; }

 private:
  std::uint32_t observed_;
  std::vector<double> before_;  // by rank: when the last thing that it got a level ago was complete
  std::vector<double> now_;     // likewise, of this level
  double longest_ = 0;
};

}  // namespace pssp
