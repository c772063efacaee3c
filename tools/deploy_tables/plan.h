#pragma once

// The effects of new tables: figures as in eval_lft --compare, flows as in reroute_impact.

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
  std::uint64_t seed = 1;         ///< of bisections and of random orders
  std::uint32_t orders = 10;      ///< random orders of block writes in addition to opensm's
  bool accept_credit_loop = false;
  double max_moved = 100;  ///< percent of the flows
};

/// Both sets of tables for one fabric with LIDs.
struct PlanInput {
  std::string before_name, after_name;
  const Fabric& fabric;
  const ForwardingTables& before;
  const ForwardingTables& after;
  const VerifyReport* verified = nullptr;  ///< from require_deployable() for the new tables
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
  std::vector<SwitchWrites> switches;  ///< switches with changed entries, most changes first
  std::vector<OrderImpact> orders;     ///< opensm's order, then random ones
  double moved_percent = 0;            ///< of the flows with a route before and after
};

/// Throws Error(verification_failed) unless the tables are valid for that fabric: all pairs
/// reachable, no loops, no dead ports; Error(unsuitable_topology) if their routes have a credit
/// loop, since a file has no service levels. `name` is for the message. Returns the result of
/// verify().
VerifyReport require_deployable(const std::string& name, const Fabric& fabric,
                                const ForwardingTables& tables, const PlanOptions& options);

/// The tables must have passed require_deployable(). Computes only the writes and the moved flows,
/// not scores and orders.
Plan count_changes(const PlanInput& input);
/// Computes everything, on all threads of oneTBB.
Plan make_plan(const PlanInput& input, const PlanOptions& options);

/// Throws Error(verification_failed) if more flows move than `options` permit.
void require_few_moves(const Plan& plan, const PlanOptions& options);

std::string to_text(const Plan& plan, const Fabric& fabric);
std::string to_json(const Plan& plan, const Fabric& fabric);

}  // namespace pssp
