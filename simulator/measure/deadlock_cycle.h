#pragma once

// Deadlocks: links that wait for each other's buffers in a cycle.

#include <cstdint>
#include <vector>

#include "simulator/network/network.h"
#include "simulator/network/packet_pool.h"

namespace pssp {

/// Links that will never send again, in a cycle: each waits for room in its buffer, and gets it
/// only when the next one has sent. Empty: there is none. Between two events of a run only.
/// `pending`: by link and lane [link * lanes + lane], whether something is under way that gives its
/// sender credits or its buffer room: credits, a packet on the link, or one that leaves the buffer.
/// O(switches * radix^2 * lanes).
std::vector<std::uint32_t> deadlock_cycle(const Network& network, const PacketPool& packets,
                                          const std::vector<bool>& pending);

}  // namespace pssp
