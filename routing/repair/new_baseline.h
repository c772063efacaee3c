#pragma once

// What a new baseline would give and cost, where the one that is has been outgrown
// (docs/explanation/incremental-rerouting.md).

#include <cstdint>
#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/counts/table_score.h"

namespace pssp {

struct NewBaseline {
  TableQuality before, after;  ///< by a score without simulation, with the usual weight
  std::uint64_t entries = 0;   ///< (switch, LID) that would change

  /// Per cent that the tables would be worth more.
  double gain() const noexcept { return 100 * (after.score / before.score - 1); }
};

/// Both tables must be complete and of the fabric. O(LIDs * switches + hops of the flows of
/// structured traffic).
NewBaseline compare_baselines(const Fabric& fabric, const ForwardingTables& before,
                              const ForwardingTables& after);

/// "S 1.53 instead of 1.60, +2.0 % bandwidth, and change 30123 entries": what it would give.
std::string describe(const NewBaseline& baseline);

}  // namespace pssp
