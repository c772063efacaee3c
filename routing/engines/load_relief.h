#pragma once

// Lowering the edge forwarding index of given tables by moving single entries.

#include <cstdint>

#include "routing/engines/distance_matrix.h"
#include "routing/fabric/fabric.h"
#include "routing/tables/forwarding_tables.h"

namespace pssp {

struct Relief {
  std::uint64_t moves = 0;  ///< entries changed
  /// All routes over the busiest channel have no other hop-minimal way, so no hop-minimal tables
  /// have a lower index.
  bool is_optimal = false;
};

/// Takes routes off the busiest channel, one entry at a time, and goes on with what is the busiest
/// then; stops when the busiest channel cannot be relieved without another becoming as busy, or
/// after looking at `max_looks` alternatives. All routes stay hop-minimal. The tables must be
/// hop-minimal and complete.
Relief relieve_busiest_channels(const Fabric& fabric, const DistanceMatrix& distances,
                                ForwardingTables& tables, std::uint64_t max_looks);

}  // namespace pssp
