#pragma once

// The active time of each flow of a run.

#include <cstddef>
#include <vector>

#include "simulator/run/simulation.h"

namespace pssp {

/// By flow, in the order of Outcome::flows: picoseconds from `since` on in which it had something
/// to send. A static flow is active from its start to its stop or end; a pair of a trace from its
/// first message to its last byte; a pair of rounds in the rounds in which it sends, from the end
/// of the previous round to the end of the round, in the last one to the pair's last byte. O((flows
/// + messages) log (flows + messages)).
std::vector<SimulatedTime> on_times(const Traffic& traffic, const Outcome& outcome,
                                    SimulatedTime since);

}  // namespace pssp
