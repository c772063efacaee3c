#pragma once

// The effects of changed tables on flows and on the loads of channels.

#include <cstdint>
#include <vector>

#include "evaluator/patterns/pattern_file.h"
#include "evaluator/rerouting/fabric_change.h"

namespace pssp {

/// Flows, and their bytes if the traffic specifies them.
struct FlowTally {
  std::uint64_t flows = 0;
  std::uint64_t bytes = 0;
  void add(const FlowTally& other) noexcept {
    flows += other.flows;
    bytes += other.bytes;
  }
  friend bool operator==(const FlowTally&, const FlowTally&) = default;
};

/// Each flow is in one of same, moved, lost, gained and unrouted; longer and lane are subsets of
/// the flows with a route in both states.
struct FlowChanges {
  FlowTally all;
  FlowTally same;      ///< the same switches and cables
  FlowTally moved;     ///< another path: packets may overtake each other once
  FlowTally longer;    ///< moved to more channels than before
  FlowTally lost;      ///< no longer has a route
  FlowTally gained;    ///< no route before
  FlowTally unrouted;  ///< neither before nor after
  FlowTally lane;      ///< another service level: connections keep the old one
  friend bool operator==(const FlowChanges&, const FlowChanges&) = default;
};

/// A channel of either state; none (with load 0) in a state without it.
struct ChannelLoadChange {
  ChannelId before, after;
  std::uint64_t load_before = 0, load_after = 0;
};

struct LoadChanges {
  std::uint64_t channels = 0;  ///< in either state
  std::uint64_t largest_before = 0, largest_after = 0;
  /// Channels whose load changes by more than a quarter, the largest difference first.
  std::vector<ChannelLoadChange> changed;
};

struct RouteChanges {
  FlowChanges flows;
  LoadChanges loads;
};

/// Flows from each host to each LID of each other host of either state, or the flows of `traffic`,
/// whose ranks are positions in FabricChange::hosts(), to base LIDs. Loads count flows, or bytes of
/// traffic. O(LIDs * switches + flows of traffic).
RouteChanges route_changes(const FabricChange& change, const RoutedState& before,
                           const RoutedState& after, const PatternLevels* traffic = nullptr);

}  // namespace pssp
