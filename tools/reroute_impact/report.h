#pragma once

// The reports of reroute_impact.

#include <optional>
#include <string>
#include <vector>

#include "evaluator/rerouting/block_writes.h"
#include "evaluator/rerouting/flow_changes.h"
#include "evaluator/rerouting/observed_states.h"
#include "evaluator/rerouting/transient_states.h"

namespace pssp {

/// Additional figures of an order with times.
struct TimedOrder {
  ObservedStates seen;
  std::int64_t first_ns = 0, last_ns = 0;  ///< of the first and last write, since the fault
};

struct RerouteReport {
  std::string before, after;  ///< files
  const Fabric& fabric_before;
  const Fabric& fabric_after;
  bool has_bytes = false;  ///< flows come from a file with bytes
  RouteChanges routes{};
  TableChanges tables{};
  std::string order{};  ///< source of the first one of `orders`
  /// The effects while the blocks are written: in that order, then in random ones.
  std::vector<OrderImpact> orders{};
  std::optional<TimedOrder> timed{};  ///< of the first of them, if its times are known
};

/// Totals, the ten channels with the largest changes of load, and the worst and mean of random
/// orders.
std::string to_text(const RerouteReport& report);
/// Parts of it: the table of flows, and the channels.
std::string flows_text(const RerouteReport& report);
std::string loads_text(const RerouteReport& report);
/// The complete report.
std::string to_json(const RerouteReport& report);

}  // namespace pssp
