#pragma once

// Plays a schedule without a network, by the rules of LogGOPSim.

#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"

namespace pssp {

/// The same times as LogGOPSim, to the picosecond, where each rank has one processor. O(operations
/// * log (operations)); matching is linear in what waits at a rank.
ReplayResult replay_loggp(const Schedule& schedule, const MessageCosts& costs);

}  // namespace pssp
