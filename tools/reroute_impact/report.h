#pragma once

// The answers of reroute_impact.

#include <string>

#include "evaluator/rerouting/block_writes.h"
#include "evaluator/rerouting/flow_changes.h"

namespace pssp {

struct RerouteReport {
  std::string before, after;  ///< files
  const Fabric& fabric_before;
  const Fabric& fabric_after;
  bool has_bytes = false;  ///< flows are those of a file
  RouteChanges routes{};
  TableChanges tables{};
};

/// Totals, and the ten channels whose load changes most.
std::string to_text(const RerouteReport& report);
/// All of it.
std::string to_json(const RerouteReport& report);

}  // namespace pssp
