#pragma once

// Changes of the fabric, and what they did to packets, in words and for machines.

#include <string>
#include <vector>

#include "base/digest.h"
#include "simulator/changes/later_states.h"

namespace pssp {

/// What was lost and sent again: a sentence without its full stop.
std::string losses_text(const LossCounts& losses);

/// A change in numbers.
struct ChangeSummary {
  SimulatedTime time = 0;
  std::size_t cables_gone = 0, cables_come = 0;  ///< of hosts, too
  std::size_t blocks = 0;                        ///< of tables that are written
  SimulatedTime written = 0;                     ///< when the last one is
};
std::vector<ChangeSummary> summarize_changes(const RoutedState& first, const LaterStates& later);

/// A line for each change.
std::string changes_text(const std::vector<ChangeSummary>& changes);

/// Of all that a run depends on.
Digest digest_of(const LaterStates& later);

}  // namespace pssp
