#pragma once

// Where the ranks of a play are.

#include <cstddef>
#include <vector>

#include "applications/generators/program.h"
#include "applications/schedule/schedule.h"
#include "fabric/ids.h"

namespace pssp {

/// Where ranks are. Ranks of one end port send to each other without a link (300 ns and 10 GB/s).
struct RankPlacement {
  std::vector<EndPortId> hosts;  ///< the end port of each rank
  /// Of schedules that name adapters other than 0: the end ports of each rank's node. Empty: no one
  /// has more than the one above.
  std::vector<std::vector<EndPortId>> adapters{};
};

/// One more than the largest number of an end port.
std::size_t end_port_room(const RankPlacement& positions);

/// Throws Error(usage) where there are fewer places than ranks, or an operation asks for an adapter
/// that its rank, or for a message the other rank, lacks.
void require_placement(const Schedule& schedule, const RankPlacement& positions);
/// The same where each rank has to have all adapters of the application.
void require_placement(const Application& application, const ApplicationExtent& extent,
                       const RankPlacement& positions);

}  // namespace pssp
