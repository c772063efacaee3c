#pragma once

// A fabric without its dead parts.

#include <span>

#include "fabric/fabric.h"

namespace pssp {

/// Returns the fabric without the dead switches and the dead links between switches (each link is
/// given by one of its channels). All remaining parts keep their GUIDs, LIDs, LMC and port numbers,
/// as in a live subnet. End ports of dead switches, and dead end ports, remain without a cable and
/// keep their LIDs. The same types of end ports count as endpoints.
Fabric survivors(const Fabric& fabric, std::span<const SwitchId> dead_switches,
                 std::span<const ChannelId> dead_links,
                 std::span<const EndPortId> dead_end_ports = {});

}  // namespace pssp
