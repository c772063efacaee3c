#pragma once

// What new tables would change: figures as eval_lft --compare has them, flows as reroute_impact.

#include <cstdint>
#include <string>
#include <vector>

#include "evaluator/rerouting/block_writes.h"
#include "evaluator/rerouting/flow_changes.h"
#include "evaluator/rerouting/transient_states.h"
#include "evaluator/scoring/comparison.h"
#include "evaluator/scoring/structured_traffic.h"
#include "routing/verify/verify.h"

namespace pssp {

struct PlanOptions {
  std::uint64_t patterns = 5000;  ///< bisections
  std::uint64_t seed = 1;         ///< of them and of random orders
  std::uint32_t orders = 10;      ///< random orders of block writes besides opensm's
  bool accept_credit_loop = false;
  double max_moved = 100;  ///< per cent of the flows
};

/// Both sets of tables of one fabric, whose LIDs both have.
struct PlanInput {
  std::string before_name, after_name;
  const Fabric& fabric;
  const ForwardingTables& before;
  const ForwardingTables& after;
  const VerifyReport* verified = nullptr;  ///< what require_deployable() said of those after
};

struct SwitchWrites {
  std::uint32_t at_switch = 0;  ///< SwitchId
  std::uint64_t entries = 0, blocks = 0;
};

struct Plan {
  std::string before, after;  ///< names
  Comparison comparison;
  std::vector<StructuredTraffic> structured;  ///< before and after
  RouteChanges routes;
  TableChanges tables;
  std::vector<SwitchWrites> switches;  ///< with an entry that changes, most entries first
  std::vector<OrderImpact> orders;     ///< opensm's, then random ones
  double moved_percent = 0;            ///< of the flows that have a route before and after
};

/// Throws Error(verification_failed) unless the tables may be used in that fabric: all pairs
/// reachable, no loops, no dead ports; Error(unsuitable_topology) where their routes have a credit
/// loop, since a file has no service levels. `name` is for the message. What verify() says.
VerifyReport require_deployable(const std::string& name, const Fabric& fabric,
                                const ForwardingTables& tables, const PlanOptions& options);

/// The tables must have passed require_deployable(). Without scores and orders: what is written and
/// which flows move.
Plan count_changes(const PlanInput& input);
/// All of it, on all threads that oneTBB may use.
Plan make_plan(const PlanInput& input, const PlanOptions& options);

/// Throws Error(verification_failed) where more flows move than `options` allow.
void require_few_moves(const Plan& plan, const PlanOptions& options);

std::string to_text(const Plan& plan, const Fabric& fabric);
std::string to_json(const Plan& plan, const Fabric& fabric);

}  // namespace pssp
