#pragma once

#include <cmath>

namespace pssp {

/// The length of the vector (x, y) in picture coordinates. std::hypot is only needed for
/// coordinates near the limits of double, and requires a recent C library.
inline double vector_length(double x, double y) { return std::sqrt(x * x + y * y); }

}  // namespace pssp
