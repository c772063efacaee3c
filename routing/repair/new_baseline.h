#pragma once

// Compares the current tables with those of a new baseline, when the fabric has outgrown its
// baseline (docs/explanation/incremental-rerouting.md).

#include <cstdint>
#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/counts/table_score.h"

namespace pssp {

struct NewBaseline {
  TableQuality before, after;  ///< scores without simulation, with the default weight
  std::uint64_t entries = 0;   ///< number of (switch, LID) entries that would change

  /// Improvement of the score in percent.
  double gain() const noexcept { return 100 * (after.score / before.score - 1); }
};

/// Both tables must be complete and belong to the fabric. O(LIDs * switches + hops of the flows of
/// structured traffic).
NewBaseline compare_baselines(const Fabric& fabric, const ForwardingTables& before,
                              const ForwardingTables& after);

/// Gain and cost, such as "S 1.53 instead of 1.60, +2.0 % bandwidth, and change 30123 entries".
std::string describe(const NewBaseline& baseline);

}  // namespace pssp
