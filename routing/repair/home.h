#pragma once

// What a fabric is meant to be: all that has been seen of it, and the tables that it has when
// nothing is missing (docs/stable.md).

#include <cstdint>
#include <optional>
#include <vector>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/repair/stable_rerouting.h"

namespace pssp {

struct Home {
  Fabric fabric;
  ForwardingTables tables;  ///< in its numbering
  /// By its SwitchId, ranks by which all ways to endpoints are legal (rank_distances.h), so that
  /// those of what is mended should be, too: one virtual lane does then. Empty: there are none.
  std::vector<std::uint32_t> ranks;
};

/// Finds the ranks. `tables` must be complete. O(LIDs * switches + switches * channels).
Home make_home(Fabric fabric, ForwardingTables tables);

/// Whether everything of `now` is in `meant`: switches, end ports and cables at the same ports,
/// LIDs, and no channel is faster. Names do not matter. O(ports log nodes).
bool is_part_of(const Fabric& now, const Fabric& meant);

/// `meant` and `now` in one: where they contradict each other (a LID that has another owner, a port
/// with another cable), as it is now. Of two rates the faster one. O(ports log nodes).
Fabric united(const Fabric& meant, const Fabric& now);

/// Home with what is new: tables of the united fabric in which the entries of before stay. New
/// links get traffic by stable rerouting; where all cables between switches are known, no entry for
/// other LIDs than the new ones moves. None: there is nothing new. Costs and throws as
/// reroute_stably().
std::optional<Home> grown(const Home& home, const Fabric& now, const StableOptions& options,
                          const StopSignal& stop);

/// By ChannelId of `now`, the cost that the same channel has at home; its own where home has none.
std::vector<double> costs_at_home(const Fabric& home, const Fabric& now);

/// The ranks of home by SwitchId of `now`, all of which home has; empty where there are none.
std::vector<std::uint32_t> ranks_at_home(const Home& home, const Fabric& now);

/// Part of the entries of `tables`, which are of `now`, that home has one for, 0 .. 1.
double known_part(const Home& home, const Fabric& now, const ForwardingTables& tables);

}  // namespace pssp
