#pragma once

// How long each flow of a run was on.

#include <cstddef>
#include <vector>

#include "simulator/run/simulation.h"

namespace pssp {

/// By flow, in the order of Outcome::flows: picoseconds from `since` on in which it had something
/// to send. A static flow from its start to its stop or its end; a pair of a trace from its first
/// message to its last byte; a pair of rounds in the rounds that it sends in, each from the end of
/// the round before, to the end of the round, the last one to the pair's last byte. O((flows +
/// messages) log (flows + messages)).
std::vector<SimulatedTime> on_times(const Traffic& traffic, const Outcome& outcome,
                                    SimulatedTime since);

}  // namespace pssp
