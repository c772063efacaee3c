#pragma once

// Plays a schedule on a network.

#include <cstdint>
#include <span>
#include <vector>

#include "applications/generators/program.h"
#include "applications/networks/message_network.h"
#include "applications/networks/ways.h"
#include "applications/play/play_record.h"
#include "applications/play/rank_places.h"
#include "applications/schedule/playing.h"
#include "applications/schedule/schedule.h"
#include "base/stop_signal.h"
#include "fabric/fabric.h"

namespace pssp {

struct NetworkPlayOptions {
  double compute_scale = 1;        ///< computations last so many times as long; >= 0
  std::vector<PlayTime> starts{};  ///< when each rank begins; empty: all at 0
  PlayRecord* record = nullptr;    ///< filled in, where it is not null
  StopSignal stop{};               ///< asked at each moment at which something happens
};

/// Throws Error(usage) where places are missing: there are fewer than ranks, an operation asks for
/// an adapter that its rank, or for a message the other rank, lacks, or times would be too long;
/// what the network throws; Stopped. Deterministic. Matching is linear in what waits at a rank.
PlayResult play_on_network(const Schedule& schedule, const MessageCosts& costs,
                           MessageNetwork& network, const RankPlaces& places,
                           const NetworkPlayOptions& options = {});

/// The same of an application whose operations are made as they become free: the same times as with
/// its written schedule, in memory for what is under way. `extent` is extent_of(application). Keeps
/// no record.
PlayResult play_on_network(const Application& application, const ApplicationExtent& extent,
                           const MessageCosts& costs, MessageNetwork& network,
                           const RankPlaces& places, const NetworkPlayOptions& options = {});

/// The same on a FlowNetwork. `tables` null: a crossbar, the links of hosts alone. Sharing takes
/// O(messages on the links of what begins or ends).
PlayResult play_on_links(const Schedule& schedule, const MessageCosts& costs, const Fabric& fabric,
                         const ForwardingTables* tables, const RankPlaces& places,
                         LinkSharing sharing = LinkSharing::equal, const WayDelays& delays = {},
                         const NetworkPlayOptions& options = {});

}  // namespace pssp
