#pragma once

// Orders of hosts.

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// How hosts are selected if the communicator is smaller than the fabric, and the order of ranks if
/// they are not shuffled.
enum class HostSelection : std::uint8_t {
  random,          ///< random in every run; the same in all runs without shuffling
  linear_bfs,      ///< breadth-first search: few leaf switches, near each other
  guid_ascending,  ///< by port GUID
  guid_descending,
};

/// All endpoints (positions in Fabric::endpoints()) in that order; by ascending GUID for random.
///
/// The search starts at the switch of the endpoint with the lowest port GUID, takes the endpoints
/// of a switch by ascending port, and continues with its neighbors by ascending port. It restarts
/// at the lowest remaining port GUID for unreachable endpoints. O(endpoints * log(endpoints) +
/// channels).
std::vector<std::uint32_t> host_order(const Fabric& fabric, HostSelection selection);

}  // namespace pssp
