#pragma once

// What OpenSM's state says of who manages the subnet.

#include <opensm/osm_config.h>
// osm_config.h comes first: it decides the layout of the structures in the others.
#include <opensm/osm_subnet.h>

namespace pssp {

/// Whether this OpenSM manages the subnet.
bool is_master(const osm_subn_t& subnet) noexcept;

/// When a heavy sweep has discovered the subnet: whether this OpenSM, the master, will now hand it
/// over to another one. OpenSM has no event for that. O(subnet managers).
bool hands_over(const osm_subn_t& subnet) noexcept;

/// When a heavy sweep has discovered the subnet: whether this OpenSM was standby, and is about to
/// become the master.
bool takes_over(const osm_subn_t& subnet) noexcept;

}  // namespace pssp
