#pragma once

#include <optional>

#include "fabric/link_rate.h"

namespace pssp {

/// Mbit/s on the wire in one direction, including line coding; none if the rate is unknown or its
/// speed has no name.
std::optional<double> signalled_capacity(LinkRate rate);

}  // namespace pssp
