#pragma once

// Simulates many runs of a communication pattern with different hosts, and returns the data for the
// metrics of the ORCS report (section 2.5) and of the Cluster 2008 paper (section 5.1).

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "base/progress.h"
#include "base/random.h"
#include "evaluator/flows/adaptive_routes.h"
#include "evaluator/flows/link_loads.h"
#include "evaluator/flows/route_store.h"
#include "evaluator/flows/striped_routes.h"
#include "evaluator/hosts/host_mapping.h"
#include "evaluator/patterns/pattern.h"

namespace pssp {

/// The result of one run. The congestion of a flow is the largest on its path
/// (LinkLoads::congestion()).
struct RunResult {
  std::uint64_t flows = 0;         ///< of all levels
  std::uint64_t unrouted = 0;      ///< without a route: bandwidth 0; not in the sums below
  std::uint32_t levels = 0;        ///< with flows
  double bandwidth_sum = 0;        ///< sum over the flows of 1 / congestion
  double max_congestion_sum = 0;   ///< sum over the levels of the largest congestion
  double mean_congestion_sum = 0;  ///< sum over the levels of the mean congestion
  double delay = 0;  ///< longest chain of flows, each as long as its congestion (dep_max_delay)
  /// Sum over the levels of the bandwidth of the slowest flow: 0 if one has no route.
  double slowest_bandwidth_sum = 0;

  friend bool operator==(const RunResult&, const RunResult&) = default;
};

/// Flows summed over all levels and runs.
struct CableLoads {
  std::vector<std::uint64_t> channels;        ///< by ChannelId
  std::vector<std::uint64_t> sent, received;  ///< links of end ports, by position in endpoints()
};

struct SimulationOptions {
  std::uint64_t first_run = 0;  ///< number of the first run, for sharing runs among processes
  std::uint64_t runs = 1;
  std::uint64_t seed = 1;
  int level = -1;  ///< only this level of the pattern; -1: all
  HostLinks host_links = HostLinks::counted;
  bool histogram = true;
  bool cables = false;
};

struct SimulationResult {
  std::vector<RunResult> runs;  ///< in order
  /// Flows of all levels and runs by congestion; infinity: without a route.
  std::map<double, std::uint64_t> histogram;
  CableLoads cables;  ///< empty unless asked for
};

/// The random numbers for a level of a run.
RandomGenerator level_random(std::uint64_t seed, std::uint64_t run, std::uint32_t level);

/// Throws Error(usage) if the pattern has no such level; -1 stands for all.
void require_level(const Pattern& pattern, int level);

/// Uses all threads of oneTBB; the result does not depend on their number. A run depends only on
/// its number and the seed. O(runs * (hosts + path lengths of all flows)).
SimulationResult simulate(const RouteStore& routes, const Pattern& pattern,
                          const HostMapping& mapping, const SimulationOptions& options,
                          const Progress& progress = {});

/// The same for flows that are striped over several LIDs of their destinations. Throws Error(usage)
/// if cable loads are requested, because there are no whole flows.
SimulationResult simulate(const StripedRoutes& routes, const Pattern& pattern,
                          const HostMapping& mapping, const SimulationOptions& options,
                          const Progress& progress = {});

/// The same for flows without tables. Throws Error(usage) likewise.
SimulationResult simulate(const AdaptiveRoutes& routes, const Pattern& pattern,
                          const HostMapping& mapping, const SimulationOptions& options,
                          const Progress& progress = {});

}  // namespace pssp
