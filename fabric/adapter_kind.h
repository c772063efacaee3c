#pragma once

#include <string_view>

#include "fabric/fabric.h"

namespace pssp {

/// Tells the SHARP adapters inside switches ("Mellanox Technologies Aggregation Node") from hosts
/// by their NodeDescription, which is all that they have in common. Routers are known by their node
/// type, not by this function.
EndPortKind adapter_kind(std::string_view description) noexcept;

}  // namespace pssp
