#pragma once

// The changes of a fabric in terms of the links and switches of a run.

#include <cstdint>
#include <vector>

#include "simulator/changes/later_states.h"
#include "simulator/network/network.h"

namespace pssp {

/// Changed entries of one switch.
struct RouteUpdate {
  SimulatedTime time = 0;
  std::uint32_t node = 0;
  std::uint32_t first_lid = 0, end_lid = 0;
};

struct NetworkChange {
  SimulatedTime time = 0;
  std::vector<std::uint32_t> failing, coming;  ///< links
  std::vector<std::uint8_t> routes_at_once;    ///< by the old tables, over existing links
  std::vector<std::uint8_t> routes;            ///< by the tables of this state
  std::vector<RouteUpdate> updates;            ///< ascending by time
};

/// `network` is that of the first state. Throws Error(usage) if times do not ascend, and
/// Error(mismatch) if a state belongs to another fabric, has a cable, switch or host that the first
/// state lacks, or moves a host or changes its LID. O(states * LIDs * switches).
std::vector<NetworkChange> network_changes(const RoutedState& first, const Network& network,
                                           const LaterStates& later);

}  // namespace pssp
