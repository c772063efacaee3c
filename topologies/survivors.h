#pragma once

// A fabric after something in it died.

#include <span>

#include "fabric/fabric.h"

namespace pssp {

/// The fabric without the dead switches and the dead links between switches (either channel of a
/// link names it). Everything that is left keeps GUID, LID, LMC and port numbers, as it would on a
/// live subnet; end ports of dead switches stay, without a cable, and so do those that are dead
/// themselves. Their LIDs stay theirs. Counts the same kinds of end ports as endpoints.
Fabric survivors(const Fabric& fabric, std::span<const SwitchId> dead_switches,
                 std::span<const ChannelId> dead_links,
                 std::span<const EndPortId> dead_end_ports = {});

}  // namespace pssp
