#pragma once

// The time of day, which may jump.

#include <chrono>
#include <cstdint>

namespace pssp {

/// Milliseconds since 1970. For what is shown and stored; differences are for a steady clock.
inline std::int64_t wall_clock_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace pssp
