#pragma once

// Plays a schedule on a network.

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
  double compute_scale = 1;          ///< computations last so many times as long; >= 0
  std::vector<ReplayTime> starts{};  ///< when each rank begins; empty: all at 0
  ReplayRecord* record = nullptr;    ///< filled in, where it is not null
  StopSignal stop{};                 ///< asked at each moment at which something happens
};

/// Throws Error(usage) where places are missing: there are fewer than ranks, an operation asks for
/// an adapter that its rank, or for a message the other rank, lacks, or times would be too long;
/// what the network throws; Stopped. Deterministic. Matching is linear in what waits at a rank.
ReplayResult replay_on_network(const Schedule& schedule, const MessageCosts& costs,
                               MessageNetwork& network, const RankPlacement& positions,
                               const NetworkReplayOptions& options = {});

/// The same of an application whose operations are made as they become free: the same times as with
/// its written schedule, in memory for what is under way. `extent` is extent_of(application). Keeps
/// no record.
ReplayResult replay_on_network(const Application& application, const ApplicationExtent& extent,
                               const MessageCosts& costs, MessageNetwork& network,
                               const RankPlacement& positions,
                               const NetworkReplayOptions& options = {});

/// The same on a FlowNetwork. `tables` null: a crossbar, the links of hosts alone. Sharing takes
/// O(messages on the links of what begins or ends).
ReplayResult replay_on_links(const Schedule& schedule, const MessageCosts& costs,
                             const Fabric& fabric, const ForwardingTables* tables,
                             const RankPlacement& positions,
                             LinkSharing sharing = LinkSharing::equal,
                             const PathDelays& delays = {},
                             const NetworkReplayOptions& options = {});

}  // namespace pssp
