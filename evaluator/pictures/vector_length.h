#pragma once

#include <cmath>

namespace pssp {

/// The length of the vector (x, y), whose coordinates are those of a picture. std::hypot would also
/// do for coordinates near the limits of double, and needs a C library that is not three years old.
inline double vector_length(double x, double y) { return std::sqrt(x * x + y * y); }

}  // namespace pssp
