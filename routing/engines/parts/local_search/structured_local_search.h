#pragma once

// Tables of any engine, improved against random and structured traffic at once.

#include <cstdint>
#include <limits>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/parts/counts/structured_counts.h"

namespace pssp {

struct StructuredSearch {
  StructuredWeights structured;
  std::uint32_t passes = 4;  ///< at most; nothing is gained by more
  std::uint64_t max_probes = std::numeric_limits<std::uint64_t>::max();
  const UpDownOrder* up_down = nullptr;     ///< as reduce_contention() has it
  std::uint32_t max_extra_hops = 0;         ///< likewise; not with `up_down`
  const ForwardingTables* fixed = nullptr;  ///< likewise
};

/// Moves entries without noise to where contending_pairs() and structured_pairs() together are
/// fewest, as reduce_contention() does; those for first LIDs alone. What is in step with all shifts
/// stays so.
void reduce_structured_contention(const Fabric& fabric, ForwardingTables& tables,
                                  const StructuredSearch& how, const StopSignal& stop = {});

}  // namespace pssp
