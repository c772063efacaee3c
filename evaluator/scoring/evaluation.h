#pragma once

// The results of eval_lft as data, from which all reports are made.
//
// To read evaluator/, begin here, and continue with evaluator/patterns/pattern.h and
// evaluator/flows/.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "evaluator/metrics/ceiling.h"
#include "evaluator/metrics/edge_forwarding_index.h"
#include "evaluator/metrics/effective_bisection_bandwidth.h"
#include "evaluator/metrics/hops.h"
#include "evaluator/metrics/host_fairness.h"
#include "evaluator/metrics/precision.h"
#include "evaluator/metrics/virtual_lanes.h"
#include "evaluator/metrics/worst_pairs.h"
#include "evaluator/parallel/processes.h"
#include "evaluator/scoring/lane_proof.h"
#include "evaluator/scoring/structured_traffic.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/bounds/index_bound.h"
#include "routing/structured_suite/lid_use.h"
#include "routing/verify/verify.h"

namespace pssp {

struct EvaluationOptions {
  BisectionOptions bisections;
  /// As many bisections as the precision requires, instead of bisections.patterns.
  std::optional<PrecisionTarget> precision;
  /// LIDs of each host over which flows of bisections are striped; hops and fairness use base LIDs.
  LidUse lids{};
  bool lids_chosen = false;  ///< specified by the user: reports do not mention further LIDs
  /// CeilingOptions::effort; none: no ceiling of the bandwidth.
  std::optional<unsigned> ceiling_effort{};
  VerifyOptions verify;
  LaneNeedOptions lanes;
  std::size_t busiest_channels = 10;
  std::size_t worst_hosts = 10;
  std::size_t worst_pairs = 3;
  /// Compute `fairness` and `worst`, which comparisons do not show.
  bool single_hosts = true;
};

struct Evaluation {
  EvaluationOptions options;
  VerifyReport verify;
  /// lanes_needed(); none without the search for credit loops.
  std::optional<unsigned> lanes;
  /// Proof of given levels; not set by evaluate().
  std::optional<AssignedLanes> assigned;
  std::vector<std::uint64_t> loads;  ///< channel_loads()
  EdgeForwardingIndex index;
  IndexBound bound;  ///< lower bound for all tables of this fabric
  HopStatistics hops;
  std::vector<double> bandwidths;  ///< of single bisections, in order
  EffectiveBisectionBandwidth bandwidth;
  bool precise = true;             ///< false: options.precision was not reached
  std::optional<Ceiling> ceiling;  ///< upper bound for all tables of this fabric, if requested
  HostFairness fairness;           ///< like `worst`, with options.single_hosts
  WorstPairs worst;
  /// Structured traffic; not set by evaluate().
  std::optional<StructuredTraffic> structured;
};

/// Results that the caller already has; null: none.
struct KnownBefore {
  const VerifyReport* verify = nullptr;  ///< of these tables, with the same options
  const IndexBound* bound = nullptr;     ///< of the fabric
};

/// Verifies and scores the tables, on all threads of oneTBB and in all processes, which share the
/// bisections. In processes other than the first, sets only `bandwidths`. Throws Error(mismatch) if
/// the tables do not have the size of the fabric.
Evaluation evaluate(const Fabric& fabric, const ForwardingTables& tables,
                    const EvaluationOptions& options, const Processes& processes = {},
                    const Progress& progress = {}, const KnownBefore& known = {});

}  // namespace pssp
