#pragma once

// Simulates a fixed sample of random bisections with given tables.

#include <cstddef>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/structured_suite/lid_use.h"
#include "routing/structured_suite/patterns.h"

namespace pssp {

/// Random bisections of hosts. All tables are compared with the same bisections, because the
/// difference between two tables is then much less uncertain than the result of each.
class BisectionSample {
 public:
  /// The fabric must outlive the object. The number of bisections gives about 200,000 flows, but is
  /// between 50 and 2,000; it is smaller if there would be more than 20 million paths.
  BisectionSample(const Fabric& fabric, std::vector<EndPortId> hosts, LidUse use);

  /// Mean bandwidth of a flow, in units of Fabric::reference_capacity(). Flows that do not arrive
  /// count as 0; the result is 0 for fewer than two hosts. O(hops of all flows); may be called from
  /// several threads. Throws Stopped.
  double bandwidth(const ForwardingTables& tables, const StopSignal& stop = {}) const;

 private:
  const Fabric& fabric_;
  std::vector<EndPortId> hosts_;
  LidUse use_;
  std::size_t flows_in_each_;
  std::vector<HostFlow> flows_;  // of one bisection after the other
};

}  // namespace pssp
