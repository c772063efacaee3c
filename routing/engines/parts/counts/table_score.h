#pragma once

// The scores by which engine `best` compares tables.

#include <cstdint>
#include <functional>
#include <optional>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/structured_suite/lid_use.h"

namespace pssp {

/// Higher is better; positive unless the fabric has no traffic. Must be safe to call from several
/// threads.
using TableScore = std::function<double(const Fabric&, const ForwardingTables&)>;

enum class Objective : std::uint8_t {
  structured_suite,  ///< bandwidth under random bisections / S^w
                     ///< (docs/explanation/structured-traffic.md)
  bandwidth,         ///< mean bandwidth under random bisections
  worst_host,        ///< bandwidth under random bisections of the endpoint that gets the least
  index,             ///< reciprocal of the edge forwarding index
  /// Bandwidth when all endpoints send to all at once, limited by the busiest channel or host link.
  all_to_all,
};

/// The score of tables, and the figures that it consists of.
struct TableQuality {
  double score = 0;
  double bandwidth = 0;  ///< 0 if the score does not need it, as the next
  double slowdown = 0;   ///< S of structured traffic
  /// S with traffic to servers (SuiteTimes), which the score uses.
  double with_servers = 0;
};
/// Like TableScore, with the figures.
using TableEvaluator = std::function<TableQuality(const Fabric&, const ForwardingTables&)>;

/// The weight w of structured traffic by default, per mille.
inline constexpr std::uint32_t default_structured_weight = 250;

/// Scores without simulation: bandwidths are estimates (bandwidth_estimate.h), all other figures
/// are exact. O(LIDs * switches) a call, plus the hops of all flows for
/// Objective::structured_suite.
TableScore score_without_simulation(Objective objective);
/// The same for one fabric, which must outlive the result. Computes what does not depend on the
/// tables only once. With weight 0, structured_suite is the same as Objective::bandwidth.
TableEvaluator evaluate_without_simulation(const Fabric& fabric, Objective objective,
                                           double weight);

/// Bandwidth / S^weight of flows that are striped over several LIDs of each host. Bandwidth is
/// simulated on fixed bisections (bisection_sample.h), so that the result depends on the tables
/// only. With weight 0 the score is the bandwidth, and S is not computed. Fabric and signal must
/// outlive the result. O(hops of all flows) a call, which throws Stopped.
TableEvaluator evaluate_by_lids(const Fabric& fabric, double weight, const LidUse& use,
                                const StopSignal& stop);

/// Evaluates tables by several LIDs of the hosts.
struct LidEvaluator {
  TableEvaluator evaluate;
  unsigned lids;  ///< the largest number of LIDs of a host, above 1
};

struct Evaluators {
  TableEvaluator first;  ///< by base LIDs
  /// The same with traffic between hosts in the same position of many leaves (place_traffic.h),
  /// with so small a weight that it only decides between tables that are otherwise about equal.
  /// Empty if the objective includes no structured traffic. make_simulating includes this traffic,
  /// too.
  std::function<TableEvaluator()> make_with_positions;
  std::optional<LidEvaluator> by_lids;  ///< for the second evaluation of the best tables
  /// Makes an evaluator that simulates bandwidth, for tables that distribute shifts evenly: for
  /// these the estimate is one to two percent too low. Empty if the objective includes no
  /// structured traffic.
  std::function<TableEvaluator()> make_simulating;
};

/// The evaluators of an objective. `by_lids` is empty unless a host has several LIDs, `striping` is
/// given, and the objective includes the bandwidth of flows. Fabric and signal must outlive the
/// result.
Evaluators evaluators_for(const Fabric& fabric, Objective objective, double weight,
                          std::optional<Striping> striping, const StopSignal& stop);

}  // namespace pssp
