#pragma once

// Estimates the bandwidth of random permutations from tables, without simulation.

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// In units of Fabric::reference_capacity(), 0 .. 1; 0 in a fabric of fewer than two endpoints.
struct BandwidthEstimate {
  double mean = 0;  ///< effective bisection bandwidth
  double worst_host =
      0;  ///< the least that an endpoint gets as source or as destination, on average
};

/// Estimate of the effective bisection bandwidth (Hoefler, Schneider, Lumsdaine, "Multistage
/// switches are not crossbars", Cluster 2008, section 3) from the numbers of routes on channels and
/// turns, with the assumption that flows on different channels are independent
/// (docs/explanation/engine-selection.md). Deterministic; on the fabrics of
/// docs/explanation/results.md within a few percent of the simulation. Routes that do not arrive
/// have bandwidth 0. O(LIDs * switches).
BandwidthEstimate estimate_bandwidth(const Fabric& fabric, const ForwardingTables& tables);

}  // namespace pssp
