#pragma once

// The activity of the fabric in the last hour, one point for each sweep, for the curves of the page
// Overview.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "monitor/api/query.h"

namespace pssp {

struct LiveView;

struct ActivityPoint {
  std::int64_t time_ms = 0;
  double bytes_per_s = 0;              ///< sent by adapters
  double errors_per_minute = 0;        ///< of all error counters of all ports
  std::uint32_t hot = 0, held_up = 0;  ///< numbers of channels
};

inline constexpr std::int64_t activity_ms = 3'600'000;
/// One point each second. With a shorter sweep interval, the curves cover less than an hour.
inline constexpr std::size_t most_activity_points = 3600;

/// Appends the point of the view, and drops points that are too old. Adds nothing if no port has
/// two readings. O(ports + points).
void add_activity(std::vector<ActivityPoint>& points, const LiveView& view);

/// Response of /api/v1/activity; neighboring points are combined if there are more than `points`.
std::string activity_view(const LiveView& view, const Target& target);

}  // namespace pssp
