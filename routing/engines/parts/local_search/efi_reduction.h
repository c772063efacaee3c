#pragma once

// Lowering the edge forwarding index of given tables by moving single entries.

#include <cstdint>
#include <limits>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/allowed_channels.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

struct EfiReduction {
  std::uint64_t moves = 0;   ///< entries changed
  std::uint64_t probes = 0;  ///< alternatives looked at
  /// All routes over the busiest channel have no other allowed way, so no such tables have a lower
  /// index.
  bool is_optimal = false;
};

/// Takes routes off the busiest channel, one entry at a time, and goes on with what is the busiest
/// then; stops when the busiest channel cannot be relieved without another becoming as busy, or
/// after looking at `max_probes` alternatives or making `max_moves` moves. All routes stay allowed.
/// The tables must be complete, and allowed by `paths`. Throws Stopped; the tables are then as good
/// as those before, but not finished.
EfiReduction reduce_efi(const Fabric& fabric, const AllowedChannels& paths,
                        ForwardingTables& tables, std::uint64_t max_probes,
                        std::uint64_t max_moves = std::numeric_limits<std::uint64_t>::max(),
                        const StopSignal& stop = {});

}  // namespace pssp
