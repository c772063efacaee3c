#pragma once

// All that eval_lft finds out about forwarding tables, as data. The reports are made from it.

#include <cstddef>

#include "evaluator/metrics/edge_forwarding_index.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "evaluator/metrics/hops.h"
#include "routing/fabric/fabric.h"
#include "routing/tables/forwarding_tables.h"
#include "routing/verify/verify.h"

namespace pssp {

struct EvaluationOptions {
  BisectionOptions bisections;
  VerifyOptions verify;
  std::size_t busiest_channels = 10;
};

struct Evaluation {
  bool credit_loops_searched = true;
  VerifyReport verify;
  EffectiveBisectionBandwidth bandwidth;
  EdgeForwardingIndex index;
  HopStatistics hops;
};

/// Verifies and scores the tables, on all threads that oneTBB may use. Throws Error(mismatch) when
/// the tables are not those of a fabric of this size.
Evaluation evaluate(const Fabric& fabric, const ForwardingTables& tables,
                    const EvaluationOptions& options, const Progress& progress = {});

}  // namespace pssp
