#pragma once

// Plays a schedule on the links of a fabric.

#include <cstdint>
#include <span>
#include <vector>

#include "applications/networks/ways.h"
#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"
#include "fabric/fabric.h"

namespace pssp {

/// `hosts` is the end port of each rank, at least as many as the schedule has ranks; ranks of one
/// end port send to each other without a link (300 ns and 10 GB/s). `tables` null: a crossbar, the
/// links of hosts alone. Throws Error(verification_failed) where tables lack a route that is
/// needed, Error(usage) where an operation asks for another adapter than the first, or times would
/// be too long. Deterministic. Matching is linear in what waits at a rank; sharing takes
/// O(messages on the links of what begins or ends).
PlayResult play_on_links(const Schedule& schedule, const MessageCosts& costs, const Fabric& fabric,
                         const ForwardingTables* tables, std::span<const EndPortId> hosts,
                         const WayDelays& delays = {});

}  // namespace pssp
