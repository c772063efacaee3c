#pragma once

// Traffic between hosts in the same position of many leaves, which structured traffic hardly has.

#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/structured_suite/patterns.h"

namespace pssp {

/// Bit reversal, transposition, and, if no node types identify servers, writes to the last host of
/// each leaf (docs/explanation/structured-traffic.md).
class PositionTraffic {
 public:
  /// The fabric must outlive the object. `hosts`: in order, attached all. O(flows).
  PositionTraffic(const Fabric& fabric, std::vector<EndPortId> hosts);

  /// Geometric mean of the slowdowns of the patterns; 1 where there are none. O(hops of all flows);
  /// may be called from several threads. Throws Stopped.
  double slowdown(const ForwardingTables& tables, const StopSignal& stop = {}) const;

 private:
  const Fabric& fabric_;
  std::vector<EndPortId> hosts_;
  std::vector<TrafficPattern> patterns_;
  std::vector<double> bounds_;  // of each, summed over its phases
};

}  // namespace pssp
