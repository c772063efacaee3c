#pragma once

// Simulates a schedule without a network, by the rules of LogGOPSim.

#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"

namespace pssp {

/// Gives the same times as LogGOPSim, to the picosecond, if each rank has one processor.
/// O(operations * log(operations)); matching is linear in the number of waiting operations of a
/// rank.
ReplayResult replay_loggp(const Schedule& schedule, const MessageCosts& costs);

}  // namespace pssp
