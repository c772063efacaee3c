#pragma once

// Where a search begins: roots of congestion in a run without congestion control, and the sets that
// did best for such roots in the thesis's mesh (docs/explanation/congestion-simulation.md, "The law
// of D").

#include <cstdint>
#include <optional>
#include <vector>

#include "congestion/parameters.h"
#include "simulator/report/flow_ports.h"
#include "simulator/run/simulation.h"
#include "simulator/tuning/parameter_space.h"

namespace pssp {

/// A port that is used nearly all the time, by several flows that always have something to send.
struct CongestionRoot {
  std::uint32_t port = 0;
  std::size_t contributors = 0;  ///< n
  double packet_ns = 0;          ///< t, of a full packet
  std::uint8_t level = 0;        ///< of one of its flows
};

/// The last port on the way of its flows that is used so much, once for each; by port. Flows that
/// are called victims do not count. O(flows * hops).
std::vector<CongestionRoot> find_roots(const Fabric& fabric, const ForwardingTables& tables,
                                       const Traffic& traffic, const Model& model,
                                       const Outcome& without);

/// The middle of n t / (5 * 2.176 us) over the roots: how much slower their flows hear of
/// congestion than those of experiment D, for which the law was found. 1 without roots.
double slowness_of(const std::vector<CongestionRoot>& roots);

/// About how long a set takes until the contributors of a root have their fair share of it, in
/// nanoseconds: the CCTI rises by CCTI_Increase with each notification, which comes every q n t,
/// and falls by one each CCTI_Timer, up to the entry that leaves a flow 1 / n of the link. Infinite
/// where the set has no hold; nothing where it does nothing at all.
std::optional<double> settling_ns(const CongestionRoot& root, const CongestionParameters& set,
                                  const Model& model);

/// Points with CCTI_Timer = 45, 75, 125 us * q * slowness for small and larger Marking_Rates, as
/// near as the space has them; parameters that are not varied stay those of the base, others are in
/// the middle. At most 5, all different.
std::vector<TuningPoint> starting_points(const ParameterSpace& space,
                                         const CongestionParameters& base, const Model& model,
                                         double slowness);

}  // namespace pssp
