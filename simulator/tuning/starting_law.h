#pragma once

// The starting points of a search: roots of congestion in a run without congestion control, and the
// sets that were best for such roots in the thesis's mesh
// (docs/explanation/congestion-simulation.md, "The law of D").

#include <cstdint>
#include <optional>
#include <vector>

#include "congestion/parameters.h"
#include "simulator/report/flow_ports.h"
#include "simulator/run/simulation.h"
#include "simulator/tuning/parameter_space.h"

namespace pssp {

/// A port that several continuously sending flows use nearly all the time.
struct CongestionRoot {
  std::uint32_t port = 0;
  std::size_t contributors = 0;  ///< n
  double packet_ns = 0;          ///< t, time of a full packet
  std::uint8_t level = 0;        ///< of one of its flows
};

/// The last such port on the path of each flow, each once; by port. Ignores victims. O(flows *
/// hops).
std::vector<CongestionRoot> find_roots(const Fabric& fabric, const ForwardingTables& tables,
                                       const Traffic& traffic, const Model& model,
                                       const Outcome& without);

/// The median of n t / (5 * 2.176 us) over the roots: how much later their flows are notified than
/// those of experiment D, from which the law was derived. 1 without roots.
double slowness_of(const std::vector<CongestionRoot>& roots);

/// Estimates the time in nanoseconds until the contributors of a root have their fair share: the
/// CCTI rises by CCTI_Increase with each notification (every q n t), and falls by one each
/// CCTI_Timer, up to the entry that leaves a flow 1 / n of the link. Infinite if the set cannot
/// slow the contributors; none if it has no effect at all.
std::optional<double> settling_ns(const CongestionRoot& root, const CongestionParameters& set,
                                  const Model& model);

/// Points with CCTI_Timer = 45, 75, 125 us * q * slowness for small and larger Marking_Rates, as
/// near as the space allows; other parameters have the base's value if fixed, and the middle if
/// varied. At most 5, all different.
std::vector<TuningPoint> starting_points(const ParameterSpace& space,
                                         const CongestionParameters& base, const Model& model,
                                         double slowness);

}  // namespace pssp
