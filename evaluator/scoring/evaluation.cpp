#include "evaluator/scoring/evaluation.h"

#include <algorithm>
#include <utility>

#include "evaluator/flows/route_store.h"
#include "evaluator/flows/striped_routes.h"
#include "fabric/tables/channel_loads.h"

namespace pssp {
namespace {

/// Bisections first .. first + count - 1, shared among the processes.
template <class Routes>
std::vector<double> shared_bandwidths(const Routes& routes, std::uint64_t seed, std::uint64_t first,
                                      std::uint64_t count, const Processes& processes,
                                      const Progress& progress) {
  const Share share = processes.share(count);
  return processes.gather(bisection_bandwidths(
      routes, {.patterns = share.count, .seed = seed, .first = first + share.first}, progress));
}

template <class Routes>
void score_bisections(const Routes& routes, const Processes& processes, const Progress& progress,
                      Evaluation& evaluation) {
  const EvaluationOptions& options = evaluation.options;
  const std::uint64_t seed = options.bisections.seed;
  if (!options.precision) {
    evaluation.bandwidths =
        shared_bandwidths(routes, seed, 0, options.bisections.patterns, processes, progress);
    return;
  }
  PrecisionResult result = run_until_precise(
      *options.precision,
      [&](std::uint64_t first, std::uint64_t count, const Progress& batch) {
        return shared_bandwidths(routes, seed, first, count, processes, batch);
      },
      progress);
  evaluation.bandwidths = std::move(result.values);
  evaluation.precise = result.reached;
}

}  // namespace

Evaluation evaluate(const Fabric& fabric, const ForwardingTables& tables,
                    const EvaluationOptions& options, const Processes& processes,
                    const Progress& progress, const KnownBefore& known) {
  Evaluation evaluation;
  evaluation.options = options;
  if (processes.is_first()) {
    evaluation.verify =
        known.verify != nullptr ? *known.verify : verify(fabric, tables, options.verify);
    if (options.verify.credit_loops) {
      evaluation.lanes = lanes_needed(fabric, tables, evaluation.verify, options.lanes);
    }
    evaluation.loads = channel_loads(fabric, tables);
    evaluation.index =
        edge_forwarding_index_report(fabric, evaluation.loads, options.busiest_channels);
    evaluation.bound = known.bound != nullptr ? *known.bound : edge_forwarding_index_bound(fabric);
    if (options.single_hosts) {
      evaluation.worst = worst_pairs(fabric, tables, evaluation.loads, options.worst_pairs);
    }
  }
  const StripedRoutes striped(fabric, tables, options.lids);
  const RouteStore& routes = striped.base();
  if (options.lids.lids > 1) {
    score_bisections(striped, processes, progress, evaluation);
  } else {
    score_bisections(routes, processes, progress, evaluation);
  }
  if (!processes.is_first()) return evaluation;
  evaluation.bandwidth = summarise(evaluation.bandwidths, options.bisections.seed);
  if (options.ceiling_effort) {
    evaluation.ceiling = bandwidth_ceiling(fabric, {.effort = *options.ceiling_effort,
                                                    .seed = options.bisections.seed,
                                                    .one_lid = options.lids.lids == 1});
  }
  evaluation.hops = hop_statistics(routes);
  const std::uint64_t bisections =
      std::min<std::uint64_t>(evaluation.bandwidths.size(), FairnessOptions::default_bisections);
  if (bisections != 0 && options.single_hosts) {
    evaluation.fairness =
        host_fairness(routes, {.bisections = bisections, .seed = options.bisections.seed});
  }
  return evaluation;
}

}  // namespace pssp
