#pragma once

// The answers of reroute_impact.

#include <optional>
#include <string>
#include <vector>

#include "evaluator/rerouting/block_writes.h"
#include "evaluator/rerouting/flow_changes.h"
#include "evaluator/rerouting/observed_states.h"
#include "evaluator/rerouting/transient_states.h"

namespace pssp {

/// What the times of an order's writes add.
struct TimedOrder {
  ObservedStates seen;
  std::int64_t first_ns = 0, last_ns = 0;  ///< of the first and the last write, since the fault
};

struct RerouteReport {
  std::string before, after;  ///< files
  const Fabric& fabric_before;
  const Fabric& fabric_after;
  bool has_bytes = false;  ///< flows are those of a file
  RouteChanges routes{};
  TableChanges tables{};
  std::string order{};  ///< where the first one of `orders` is from
  /// What happens while the blocks are written: in that order, then in random ones.
  std::vector<OrderImpact> orders{};
  std::optional<TimedOrder> timed{};  ///< of the first of them, if its times are known
};

/// Totals, the ten channels whose load changes most, and the worst and mean of random orders.
std::string to_text(const RerouteReport& report);
/// Parts of it: the table of flows, and the channels.
std::string flows_text(const RerouteReport& report);
std::string loads_text(const RerouteReport& report);
/// All of it.
std::string to_json(const RerouteReport& report);

}  // namespace pssp
