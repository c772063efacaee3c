#pragma once

#include <optional>

#include "fabric/link_rate.h"

namespace pssp {

/// Mbit/s on the wire, one direction, line coding included; nothing where the rate is not stated or
/// its speed has no name.
std::optional<double> signalled_capacity(LinkRate rate);

}  // namespace pssp
