#pragma once

// The duration of a pattern in which a rank sends after it has received: metric dep_max_delay of
// the ORCS report (section 2.5).

#include <cstdint>
#include <span>
#include <vector>

#include "evaluator/patterns/flow.h"

namespace pssp {

/// The longest chain of flows in which each begins at the rank where the previous one ended, one
/// level later. The length of a flow is its congestion. A rank that received nothing in the
/// previous level sends at once, and does not wait for its own earlier messages, as in ORCS. One
/// object per thread.
class DependencyDelay {
 public:
  /// Counts only flows among the first `observed_ranks` ranks.
  explicit DependencyDelay(std::uint32_t observed_ranks);

  /// Begins a new run.
  void clear();
  /// Adds flows of the current level, in ranks. Flows with infinite congestion are ignored.
  void add(std::span<const Flow> ranks, std::span<const double> congestion);
  void end_level();
  /// Over all flows since clear(); 0 without flows.
  double longest() const noexcept { return longest_; }

 private:
  std::uint32_t observed_;
  std::vector<double> before_;  // by rank: when all messages of the previous level had arrived
  std::vector<double> now_;     // the same for this level
  double longest_ = 0;
};

}  // namespace pssp
