#pragma once

// The time of day, which can jump.

#include <chrono>
#include <cstdint>

namespace pssp {

/// Milliseconds since 1970, for display and storage; for differences, use a steady clock.
inline std::int64_t wall_clock_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace pssp
