#pragma once

// The colors of ORCS for congestion.

#include <string>

namespace pssp {

/// "hue saturation value" for graphviz: hue from green (0.4) for 0 to red (0) for 1, linear in
/// between, with saturation and value 0.9, as in ORCS.
std::string congestion_colour(double scaled);

}  // namespace pssp
