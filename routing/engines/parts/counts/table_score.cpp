#include "routing/engines/parts/counts/table_score.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "fabric/lid_counts.h"
#include "fabric/tables/channel_loads.h"
#include "routing/engines/parts/counts/bandwidth_estimate.h"
#include "routing/engines/parts/counts/place_traffic.h"
#include "routing/engines/parts/tuning.h"
#include "routing/structured_suite/bisection_sample.h"
#include "routing/structured_suite/structured_suite.h"

namespace pssp {
namespace {

double index_of(const Fabric& fabric, const ForwardingTables& tables) {
  return edge_forwarding_index(fabric, channel_loads(fabric, tables));
}

/// Routes on the busiest link of an end port, relative to its capacity: the routes to or from all
/// LIDs of the other end ports.
double busiest_end_port(const Fabric& fabric) {
  double lids = 0;
  for (const EndPortId e : fabric.endpoints()) {
    if (fabric.end_port(e).lid != no_lid) lids += 1U << fabric.end_port(e).lmc;
  }
  double busiest = 0;
  for (const EndPortId e : fabric.endpoints()) {
    const double own = 1U << fabric.end_port(e).lmc;
    const double received = own * static_cast<double>(fabric.endpoints().size() - 1);
    busiest = std::max(busiest, std::max(lids - own, received) * fabric.end_port_cost(e));
  }
  return busiest;
}

/// Shared by evaluators: its bounds take as long to compute as one evaluation.
using SharedSuite = std::shared_ptr<const StructuredSuite>;

SharedSuite suite_to_compare_by(const Fabric& fabric, const LidUse& use = {}) {
  return std::make_shared<const StructuredSuite>(fabric, order_hosts(fabric, HostOrderRule::name),
                                                 false, StructuredSuite::Extent::quick, use);
}

TableQuality by_both(double bandwidth, const SuiteTimes& times, double weight) {
  return {suite_score(bandwidth, times.with_servers, weight), bandwidth, times.structured_slowdown,
          times.with_servers};
}

TableEvaluator evaluate_by_estimate(const SharedSuite& structured_suite, double weight) {
  return
      [structured_suite, weight](const Fabric& of, const ForwardingTables& tables) -> TableQuality {
        const double bandwidth = estimate_bandwidth(of, tables).mean;
        return by_both(bandwidth, structured_suite->measure(tables), weight);
      };
}

TableEvaluator evaluate_by_simulation(const Fabric& fabric, const SharedSuite& structured,
                                      double weight, const LidUse& use, const StopSignal& stop) {
  const auto random =
      std::make_shared<const BisectionSample>(fabric, structured->hosts().hosts, use);
  return [random, structured, weight, &stop](const Fabric&,
                                             const ForwardingTables& tables) -> TableQuality {
    const double bandwidth = random->bandwidth(tables, stop);
    return by_both(bandwidth, structured->measure(tables, stop), weight);
  };
}

/// The same with traffic between hosts in the same position of many leaves.
TableEvaluator with_positions(const Fabric& fabric, TableEvaluator evaluate, double weight,
                              const StopSignal& stop) {
  const auto positions = std::make_shared<const PositionTraffic>(
      fabric, order_hosts(fabric, HostOrderRule::name).hosts);
  return [positions, evaluate = std::move(evaluate), exponent = tuning.position_weight * weight,
          &stop](const Fabric& of, const ForwardingTables& tables) -> TableQuality {
    TableQuality quality = evaluate(of, tables);
    quality.score /= std::pow(positions->slowdown(tables, stop), exponent);
    return quality;
  };
}

}  // namespace

TableEvaluator evaluate_without_simulation(const Fabric& fabric, Objective objective,
                                           double weight) {
  if (objective != Objective::structured_suite || weight == 0) {
    if (objective == Objective::structured_suite) objective = Objective::bandwidth;
    return [score = score_without_simulation(objective)](
               const Fabric& of, const ForwardingTables& tables) -> TableQuality {
      return {.score = score(of, tables)};
    };
  }
  return evaluate_by_estimate(suite_to_compare_by(fabric), weight);
}

TableEvaluator evaluate_by_lids(const Fabric& fabric, double weight, const LidUse& use,
                                const StopSignal& stop) {
  if (weight != 0) {
    return evaluate_by_simulation(fabric, suite_to_compare_by(fabric, use), weight, use, stop);
  }
  const auto random = std::make_shared<const BisectionSample>(
      fabric, order_hosts(fabric, HostOrderRule::name).hosts, use);
  return [random, &stop](const Fabric&, const ForwardingTables& tables) -> TableQuality {
    return {.score = random->bandwidth(tables, stop)};
  };
}

Evaluators evaluators_for(const Fabric& fabric, Objective objective, double weight,
                          std::optional<Striping> striping, const StopSignal& stop) {
  Evaluators evaluators;
  if (objective == Objective::structured_suite && weight > 0) {
    const SharedSuite structured_suite = suite_to_compare_by(fabric);
    evaluators.first = evaluate_by_estimate(structured_suite, weight);
    evaluators.make_with_positions = [&fabric, structured_suite, weight, &stop] {
      return with_positions(fabric, evaluate_by_estimate(structured_suite, weight), weight, stop);
    };
    evaluators.make_simulating = [&fabric, structured_suite, weight, &stop] {
      return with_positions(
          fabric, evaluate_by_simulation(fabric, structured_suite, weight, {}, stop), weight, stop);
    };
  } else {
    evaluators.first = evaluate_without_simulation(fabric, objective, weight);
  }
  const bool counts_flows =
      objective == Objective::structured_suite || objective == Objective::bandwidth;
  const unsigned lids = most_lids_of_a_host(fabric);
  if (lids == 1 || !striping || !counts_flows) return evaluators;
  evaluators.by_lids =
      LidEvaluator{evaluate_by_lids(fabric, objective == Objective::structured_suite ? weight : 0,
                                    {.lids = lids, .striping = *striping}, stop),
                   lids};
  return evaluators;
  // The analyzer loses sight of the suite when a std::function takes its shared
  // pointer along.
}  // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks)

TableScore score_without_simulation(Objective objective) {
  switch (objective) {
    case Objective::structured_suite:
      return [](const Fabric& fabric, const ForwardingTables& tables) {
        constexpr double weight = default_structured_weight / 1000.0;
        return evaluate_without_simulation(fabric, Objective::structured_suite, weight)(fabric,
                                                                                        tables)
            .score;
      };
    case Objective::worst_host:
      return [](const Fabric& fabric, const ForwardingTables& tables) {
        return estimate_bandwidth(fabric, tables).worst_host;
      };
    case Objective::index:
      return [](const Fabric& fabric, const ForwardingTables& tables) {
        return 1 / std::max(1.0, index_of(fabric, tables));
      };
    case Objective::all_to_all:
      return [](const Fabric& fabric, const ForwardingTables& tables) {
        const double ends = std::max(1.0, busiest_end_port(fabric));
        return ends / std::max(ends, index_of(fabric, tables));
      };
    default:
      return [](const Fabric& fabric, const ForwardingTables& tables) {
        return estimate_bandwidth(fabric, tables).mean;
      };
  }
}

}  // namespace pssp
