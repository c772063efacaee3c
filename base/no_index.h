#pragma once

#include <cstdint>

namespace pssp {

/// What arrays of indices have where there is none: no switch, no channel, no route. Above any
/// index.
inline constexpr std::uint32_t no_index = 0xFFFFFFFF;

}  // namespace pssp
