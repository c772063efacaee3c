#pragma once

// Simulates a schedule on a network.

#include <cstdint>
#include <span>
#include <vector>

#include "applications/generators/program.h"
#include "applications/networks/message_network.h"
#include "applications/networks/paths.h"
#include "applications/replay/rank_placement.h"
#include "applications/replay/replay_record.h"
#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"
#include "base/stop_signal.h"
#include "fabric/fabric.h"

namespace pssp {

struct NetworkReplayOptions {
  double compute_scale = 1;          ///< factor of the durations of computations; >= 0
  std::vector<ReplayTime> starts{};  ///< when each rank begins; empty: all at 0
  ReplayRecord* record = nullptr;    ///< filled in unless null
  StopSignal stop{};                 ///< checked at each event time
};

/// Throws Error(usage) if there are fewer hosts than ranks, if an operation uses an adapter that
/// its rank or the other rank lacks, or if times would be too long; the errors of the network;
/// Stopped. Deterministic. Matching is linear in the number of waiting operations of a rank.
ReplayResult replay_on_network(const Schedule& schedule, const MessageCosts& costs,
                               MessageNetwork& network, const RankPlacement& positions,
                               const NetworkReplayOptions& options = {});

/// The same for an application whose operations are created as they become ready: gives the same
/// times as its written schedule, with memory for active operations. `extent` must be
/// extent_of(application). Keeps no record.
ReplayResult replay_on_network(const Application& application, const ApplicationExtent& extent,
                               const MessageCosts& costs, MessageNetwork& network,
                               const RankPlacement& positions,
                               const NetworkReplayOptions& options = {});

/// The same on a FlowNetwork. `tables` null: a crossbar, where only host links are shared. Sharing
/// takes O(messages on the links of what begins or ends).
ReplayResult replay_on_links(const Schedule& schedule, const MessageCosts& costs,
                             const Fabric& fabric, const ForwardingTables* tables,
                             const RankPlacement& positions,
                             LinkSharing sharing = LinkSharing::equal,
                             const PathDelays& delays = {},
                             const NetworkReplayOptions& options = {});

}  // namespace pssp
