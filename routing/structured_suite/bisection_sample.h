#pragma once

// What random bisections get of given tables, simulated: some of them, always the same.

#include <cstddef>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/structured_suite/lid_use.h"
#include "routing/structured_suite/patterns.h"

namespace pssp {

/// Random bisections of hosts, drawn once, so that all tables meet the same ones: what differs
/// between tables is then much less uncertain than what either gets.
class BisectionSample {
 public:
  /// The fabric must outlive the object. So many bisections that the flows are about 200,000, but
  /// 50 to 2,000; fewer where all ways were more than 20 million.
  BisectionSample(const Fabric& fabric, std::vector<EndPortId> hosts, LidUse use);

  /// Mean bandwidth of a flow, in units of Fabric::reference_capacity(); flows that do not arrive
  /// get 0, and so do all of fewer than two hosts. O(hops of all flows); may be called from several
  /// threads. Throws Stopped.
  double bandwidth(const ForwardingTables& tables, const StopSignal& stop = {}) const;

 private:
  const Fabric& fabric_;
  std::vector<EndPortId> hosts_;
  LidUse use_;
  std::size_t flows_in_each_;
  std::vector<HostFlow> flows_;  // of one bisection after the other
};

}  // namespace pssp
