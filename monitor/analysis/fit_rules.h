#pragma once

// Decides whether a node may get jobs, from the state of both ends of its cables, of its peers and
// of its leaf switch (docs/reference/monitor.md, "Fit for jobs").

#include <cstdint>
#include <string>
#include <vector>

#include "monitor/analysis/maintenance.h"
#include "monitor/analysis/node_ports.h"
#include "monitor/analysis/verdict_watch.h"
#include "monitor/counters/node_fit.h"

namespace pssp {

struct FitEvidence {
  const FabricMap& map;  ///< the map of the last NodePorts::update()
  const std::vector<StandingVerdict>& verdicts;
  const std::vector<MaintainedPort>& maintenance;
  std::int64_t time_ms = 0;
};

/// All nodes that are present or missing, in the order of their names, without since_ms and advice.
/// O(nodes * log(nodes) + verdicts).
std::vector<NodeFit> evaluate_fit(const NodePorts& positions, const FitEvidence& evidence);
/// The same nodes, all with the level unknown and this reason.
std::vector<NodeFit> unknown_fit(const NodePorts& positions, const std::string& reason);

}  // namespace pssp
