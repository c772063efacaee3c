#pragma once

// Lowers the edge forwarding index (EFI) of tables by changing single entries.

#include <cstdint>
#include <limits>

#include "base/stop_signal.h"
#include "fabric/fabric.h"
#include "fabric/paths/allowed_channels.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

struct EfiReduction {
  std::uint64_t moves = 0;   ///< entries changed
  std::uint64_t probes = 0;  ///< alternatives examined
  /// No route over the busiest channel has another allowed path, so no allowed tables have a lower
  /// EFI.
  bool is_optimal = false;
};

/// Takes routes off the busiest channel, one entry at a time, and continues with the channel that
/// is then the busiest. Stops if this would make another channel as busy, after `max_probes`
/// probes, or after `max_moves` changes. All routes stay allowed. The tables must be complete, and
/// allowed by `paths`. Throws Stopped; the tables are then usable and no worse than before.
EfiReduction reduce_efi(const Fabric& fabric, const AllowedChannels& paths,
                        ForwardingTables& tables, std::uint64_t max_probes,
                        std::uint64_t max_moves = std::numeric_limits<std::uint64_t>::max(),
                        const StopSignal& stop = {});

}  // namespace pssp
