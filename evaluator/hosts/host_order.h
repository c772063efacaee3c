#pragma once

// The orders that hosts can be taken in.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// How hosts are chosen where the communicator is smaller than the fabric, and the order of ranks
/// where they are not shuffled.
enum class HostSelection : std::uint8_t {
  random,      ///< a new random choice in every run; the same one in all runs without shuffling
  linear_bfs,  ///< in the order of a breadth-first search: few leaf switches, near to each other
  guid_ascending,  ///< by port GUID
  guid_descending,
};

/// All endpoints (positions in Fabric::endpoints()) in that order; by ascending GUID for random.
///
/// The search starts at the switch of the endpoint of the lowest port GUID, takes the endpoints of
/// a switch by ascending port, and goes to its neighbours by ascending port. What it cannot reach
/// it goes on with in the same way, from the lowest port GUID that is left. O(endpoints * log
/// (endpoints) + channels).
std::vector<std::uint32_t> host_order(const Fabric& fabric, HostSelection selection);

}  // namespace pssp
