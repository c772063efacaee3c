#pragma once

// Predicts the duration of a simulation.

#include <cstddef>
#include <string>

#include "congestion/parameters.h"
#include "tools/simulation/simulation_input.h"

namespace pssp {

/// Packets times hops that the traffic's senders would send if only their own links limited them:
/// the rates of rounds and of hosts are limited by the hosts' links. O(flows * hops), sampled for
/// many flows.
double offered_hops(const Fabric& fabric, const ForwardingTables& tables, const Traffic& traffic);

struct RunTime {
  double hops = 0;            ///< offered in a run
  double hops_a_second = 0;   ///< of one thread, measured
  double seconds_of_run = 0;  ///< 0: too few to report
};

/// Simulates the beginning of the traffic for about a tenth of a second, unless there is little of
/// it. Throws the errors of simulate().
RunTime expect_run_time(const SimulationInput& input, const SimulatedTables& tables,
                        const Traffic& traffic, const Model& model,
                        const CongestionParameters* congestion);

/// "8 runs, about 12 minutes: 1.2e+09 packet hops per run, 4.1e+06 per second and thread"; empty if
/// all runs together take less than twenty seconds.
std::string run_time_text(const RunTime& time, std::size_t runs, double threads);

}  // namespace pssp
