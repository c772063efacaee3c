#pragma once

// How good are tables? What engine `best` compares constructions by.

#include <cstdint>
#include <functional>
#include <optional>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/structured_suite/lid_use.h"

namespace pssp {

/// More is better; positive unless the fabric has no traffic. Must be safe to call from several
/// threads.
using TableScore = std::function<double(const Fabric&, const ForwardingTables&)>;

enum class Objective : std::uint8_t {
  structured_suite,  ///< bandwidth under random bisections / S^w
                     ///< (docs/explanation/structured-traffic.md)
  bandwidth,         ///< mean bandwidth under random bisections
  worst_host,        ///< bandwidth of the endpoint that gets least of them
  index,             ///< reciprocal of the edge forwarding index
  /// Bandwidth when all endpoints exchange with all at once: limited by the busiest channel, or by
  /// the end ports' own links where these are busier.
  all_to_all,
};

/// What tables are worth, and what that is made of.
struct TableQuality {
  double score = 0;
  double bandwidth = 0;  ///< 0 where the score does not ask for it, as the next
  double slowdown = 0;   ///< S of structured traffic
  /// The same with what nodes write to servers (SuiteTimes): what the score counts.
  double with_servers = 0;
};
/// As a TableScore.
using TableEvaluator = std::function<TableQuality(const Fabric&, const ForwardingTables&)>;

/// The weight w of structured traffic by default, per mille.
inline constexpr std::uint32_t default_structured_weight = 250;

/// Scores that need no simulation: bandwidths are estimates (bandwidth_estimate.h), all else is
/// exact. O(LIDs * switches) a call; of Objective::structured_suite, the hops of its flows
/// besides. With weight 0 that is Objective::bandwidth.
TableScore score_without_simulation(Objective objective);
/// The same for one fabric, which must outlive it: what is the same for all tables is made once.
TableEvaluator evaluate_without_simulation(const Fabric& fabric, Objective objective,
                                           double weight);

/// Bandwidth / S^weight of flows that are striped over several LIDs of each host. Bandwidth is
/// simulated (bisection_sample.h): always the same bisections, so that this, too, depends on
/// nothing but the tables. With weight 0 it is the score, and no structured traffic is looked at.
/// Fabric and signal must outlive it. O(hops of all flows) a call, which throws Stopped.
TableEvaluator evaluate_by_lids(const Fabric& fabric, double weight, const LidUse& use,
                                const StopSignal& stop);

/// How tables are judged by several LIDs of the hosts.
struct LidEvaluator {
  TableEvaluator evaluate;
  unsigned lids;  ///< the most that a host has, above 1
};

struct Evaluators {
  TableEvaluator first;  ///< by base LIDs
  /// The same with traffic between hosts at the same place of many leaves (place_traffic.h): no
  /// more than what decides between tables that are about as good at all else. Empty where the
  /// objective counts no structured traffic; make_simulating has it, too.
  std::function<TableEvaluator()> make_with_positions;
  std::optional<LidEvaluator> by_lids;  ///< by what the best are judged once more, where they are
  /// Makes a judge that simulates bandwidth, for tables whose routes are in step: of these the
  /// estimate is one to two per cent too low. Empty where the objective counts no structured
  /// traffic.
  std::function<TableEvaluator()> make_simulating;
};

/// The judges of an objective; by all LIDs of the hosts only where a host has several, `striping`
/// says how they are used, and the objective asks what flows get. Fabric and signal must outlive
/// them.
Evaluators evaluators_for(const Fabric& fabric, Objective objective, double weight,
                          std::optional<Striping> striping, const StopSignal& stop);

}  // namespace pssp
