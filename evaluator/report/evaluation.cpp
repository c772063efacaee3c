#include "evaluator/report/evaluation.h"

namespace pssp {

Evaluation evaluate(const Fabric& fabric, const ForwardingTables& tables,
                    const EvaluationOptions& options, const Progress& progress) {
  Evaluation evaluation;
  evaluation.credit_loops_searched = options.verify.credit_loops;
  evaluation.verify = verify(fabric, tables, options.verify);
  evaluation.index = edge_forwarding_index_report(fabric, tables, options.busiest_channels);
  const RouteStore routes(fabric, tables);
  evaluation.hops = hop_statistics(routes);
  evaluation.bandwidth = effective_bisection_bandwidth(routes, options.bisections, progress);
  return evaluation;
}

}  // namespace pssp
