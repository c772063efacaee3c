#pragma once

// May a node get jobs? Out of all that is known of both ends of its cables, of its peers and of the
// switch that it is at (docs/reference/monitor.md, "Fit for jobs").

#include <cstdint>
#include <string>
#include <vector>

#include "monitor/analysis/maintenance.h"
#include "monitor/analysis/node_ports.h"
#include "monitor/analysis/verdict_watch.h"
#include "monitor/counters/node_fit.h"

namespace pssp {

struct FitEvidence {
  const FabricMap& map;  ///< that `places` looked at last
  const std::vector<StandingVerdict>& verdicts;
  const std::vector<MaintainedPort>& maintenance;
  std::int64_t time_ms = 0;
};

/// All nodes that there are, or that are missed, in the order of their names; without since_ms and
/// advice. O(nodes log nodes + verdicts).
std::vector<NodeFit> evaluate_fit(const NodePorts& positions, const FitEvidence& evidence);
/// The same nodes where no one can judge, for this reason.
std::vector<NodeFit> unknown_fit(const NodePorts& positions, const std::string& reason);

}  // namespace pssp
