#pragma once

#include <cstdint>

namespace pssp {

/// The invalid index: no switch, no channel, no route. Larger than any index.
inline constexpr std::uint32_t no_index = 0xFFFFFFFF;

}  // namespace pssp
