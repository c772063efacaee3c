#pragma once

// The hosts of the ranks of a simulation.

#include <cstddef>
#include <vector>

#include "applications/generators/program.h"
#include "applications/schedule/schedule.h"
#include "fabric/ids.h"

namespace pssp {

/// Ranks of one end port communicate without a link (300 ns and 10 GB/s).
struct RankPlacement {
  std::vector<EndPortId> hosts;  ///< the end port of each rank
  /// For schedules with adapters other than 0: the end ports of each rank's node. Empty: each rank
  /// has only its end port above.
  std::vector<std::vector<EndPortId>> adapters{};
};

/// One more than the highest number of an end port.
std::size_t end_port_room(const RankPlacement& positions);

/// Throws Error(usage) if there are fewer hosts than ranks, or if an operation uses an adapter that
/// its rank or the other rank lacks.
void require_placement(const Schedule& schedule, const RankPlacement& positions);
/// The same, if each rank needs all adapters of the application.
void require_placement(const Application& application, const ApplicationExtent& extent,
                       const RankPlacement& positions);

}  // namespace pssp
