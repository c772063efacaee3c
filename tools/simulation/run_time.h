#pragma once

// How long a simulation will take, before it begins.

#include <cstddef>
#include <string>

#include "congestion/parameters.h"
#include "tools/simulation/simulation_input.h"

namespace pssp {

/// Packets times hops that the traffic's senders have to send, if nothing held them up but their
/// own links: those of rounds and of hosts together are no more than the hosts' links carry.
/// O(flows * hops), of many flows by a sample.
double offered_hops(const Fabric& fabric, const ForwardingTables& tables, const Traffic& traffic);

struct RunTime {
  double hops = 0;            ///< offered in a run
  double hops_a_second = 0;   ///< of one thread, measured here
  double seconds_of_run = 0;  ///< 0: so few that no one wants to know
};

/// Plays the beginning of the traffic for a tenth of a second or so, unless there is little of it.
/// Throws as simulate().
RunTime expect_run_time(const SimulationInput& input, const SimulatedTables& tables,
                        const Traffic& traffic, const Model& model,
                        const CongestionParameters* congestion);

/// "8 runs, about 12 minutes: 1.2e+09 packet hops a run, 4.1e+06 a second and thread"; empty where
/// all runs together take less than twenty seconds.
std::string run_time_text(const RunTime& time, std::size_t runs, double threads);

}  // namespace pssp
