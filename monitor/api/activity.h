#pragma once

// What the fabric did in the last hour, a point a sweep: the curves of page Overview.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "monitor/api/query.h"

namespace pssp {

struct LiveView;

struct ActivityPoint {
  std::int64_t time_ms = 0;
  double bytes_per_s = 0;              ///< that adapters sent
  double errors_per_minute = 0;        ///< all error counters of all ports
  std::uint32_t hot = 0, held_up = 0;  ///< channels
};

inline constexpr std::int64_t activity_ms = 3'600'000;
/// A sweep of less than a second's interval is not shown by itself.
inline constexpr std::size_t most_activity_points = 3600;

/// Adds the view's own point to those before, and drops what is too old. Nothing is added where no
/// port has two readings. O(ports + points).
void add_activity(std::vector<ActivityPoint>& points, const LiveView& view);

/// Answer of /api/v1/activity: neighbours are added up where there are more than `points`.
std::string activity_view(const LiveView& view, const Target& target);

}  // namespace pssp
