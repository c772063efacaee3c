#pragma once

// Improves tables for random and structured traffic together.

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
  std::uint32_t passes = 4;  ///< at most; more passes gain nothing
  std::uint64_t max_probes = std::numeric_limits<std::uint64_t>::max();
  const UpDownOrder* up_down = nullptr;     ///< as reduce_contention() has it
  std::uint32_t max_extra_hops = 0;         ///< likewise; not with `up_down`
  const ForwardingTables* fixed = nullptr;  ///< likewise
};

/// Changes entries for base LIDs to minimize contending_pairs() + structured_pairs(), like
/// reduce_contention() without noise. Tables that distribute all shifts evenly stay as they are.
void reduce_structured_contention(const Fabric& fabric, ForwardingTables& tables,
                                  const StructuredSearch& how, const StopSignal& stop = {});

}  // namespace pssp
