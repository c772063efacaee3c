#pragma once

// Reports changes of the fabric and their effects on packets as text.

#include <string>
#include <vector>

#include "base/digest.h"
#include "simulator/changes/later_states.h"

namespace pssp {

/// Lost and repeated packets: a sentence without its full stop.
std::string losses_text(const LossCounts& losses);

/// Figures of a change.
struct ChangeSummary {
  SimulatedTime time = 0;
  std::size_t cables_gone = 0, cables_come = 0;  ///< including cables of hosts
  std::size_t blocks = 0;                        ///< table blocks that are written
  SimulatedTime written = 0;                     ///< when the last block is written
};
std::vector<ChangeSummary> summarize_changes(const RoutedState& first, const LaterStates& later);

/// One line per change.
std::string changes_text(const std::vector<ChangeSummary>& changes);

/// Digest of everything that a run depends on.
Digest digest_of(const LaterStates& later);

}  // namespace pssp
