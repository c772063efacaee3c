#pragma once

// Durations as text.

#include <string>

namespace pssp {

/// "less than a second", "1 second", "12 seconds" (up to two minutes), "5 minutes" (up to two
/// hours), "2.5 hours" (up to two days), "3 days". Negative values and NaN are "less than a
/// second".
std::string duration_text(double seconds);

}  // namespace pssp
