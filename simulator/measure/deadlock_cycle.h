#pragma once

// Finds deadlocks: links that wait for each other's buffers in a cycle.

#include <cstdint>
#include <vector>

#include "simulator/network/network.h"
#include "simulator/network/packet_pool.h"

namespace pssp {

/// Links that will never send again, in a cycle: the buffer of each gets room only when the next
/// one has sent. Empty: no deadlock. Call only between two events of a run. `pending`: [link *
/// lanes + lane], whether credits for its sender or room in its buffer are on the way: credits, a
/// packet on the link, or a packet that is leaving the buffer. O(switches * radix^2 * lanes).
std::vector<std::uint32_t> deadlock_cycle(const Network& network, const PacketPool& packets,
                                          const std::vector<bool>& pending);

}  // namespace pssp
