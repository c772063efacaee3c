#pragma once

// Time of a simulation.

#include <cstdint>
#include <limits>

namespace pssp {

/// Picoseconds since the start of a run: integers, so that sums do not depend on their order. 2^63
/// ps are 106 days.
using SimulatedTime = std::int64_t;

inline constexpr SimulatedTime picoseconds_per_nanosecond = 1'000;
inline constexpr SimulatedTime picoseconds_per_microsecond = 1'000'000;
inline constexpr SimulatedTime picoseconds_per_millisecond = 1'000'000'000;
inline constexpr SimulatedTime picoseconds_per_second = 1'000'000'000'000;
/// Later than all events.
inline constexpr SimulatedTime never = std::numeric_limits<SimulatedTime>::max();

}  // namespace pssp
