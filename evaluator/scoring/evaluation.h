#pragma once

// All that eval_lft finds out about forwarding tables, as data. The reports are made from it.
//
// Begin reading evaluator/ here; then evaluator/patterns/pattern.h and evaluator/flows/.

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
  /// As many bisections as it takes, instead of bisections.patterns.
  std::optional<PrecisionTarget> precision;
  /// LIDs of each host that flows of bisections are striped over; hops and fairness are those of
  /// base LIDs.
  LidUse lids{};
  bool lids_chosen = false;  ///< somebody said so: reports need not say that there are more
  /// CeilingOptions::effort; nothing: no ceiling of the bandwidth.
  std::optional<unsigned> ceiling_effort{};
  VerifyOptions verify;
  LaneNeedOptions lanes;
  std::size_t busiest_channels = 10;
  std::size_t worst_hosts = 10;
  std::size_t worst_pairs = 3;
  /// What single hosts and pairs get: `fairness` and `worst`, which comparisons do not show.
  bool single_hosts = true;
};

struct Evaluation {
  EvaluationOptions options;
  VerifyReport verify;
  /// lanes_needed(); nothing when credit loops were not searched for, either.
  std::optional<unsigned> lanes;
  /// Proof of levels that were given besides; not filled in by evaluate().
  std::optional<AssignedLanes> assigned;
  std::vector<std::uint64_t> loads;  ///< channel_loads()
  EdgeForwardingIndex index;
  IndexBound bound;  ///< what no tables of this fabric can have less than
  HopStatistics hops;
  std::vector<double> bandwidths;  ///< of single bisections, in order
  EffectiveBisectionBandwidth bandwidth;
  bool precise = true;             ///< false: options.precision was not reached
  std::optional<Ceiling> ceiling;  ///< that no tables of this fabric exceed; where asked for
  HostFairness fairness;           ///< as `worst` where options.single_hosts
  WorstPairs worst;
  /// Traffic that is sent in order; not filled in by evaluate().
  std::optional<StructuredTraffic> structured;
};

/// What the caller has found out before, and need not be found out again; null: it has not.
struct KnownBefore {
  const VerifyReport* verify = nullptr;  ///< of these tables, by the same options
  const IndexBound* bound = nullptr;     ///< of the fabric
};

/// Verifies and scores the tables, on all threads that oneTBB may use and in all processes, which
/// share the bisections. In processes other than the first only `bandwidths` are filled in. Throws
/// Error(mismatch) when the tables are not those of a fabric of this size.
Evaluation evaluate(const Fabric& fabric, const ForwardingTables& tables,
                    const EvaluationOptions& options, const Processes& processes = {},
                    const Progress& progress = {}, const KnownBefore& known = {});

}  // namespace pssp
