#pragma once

// The colours that ORCS gives to congestion.

#include <string>

namespace pssp {

/// "hue saturation value" for graphviz: green (0.4) for 0, red (0) for 1, straight in between, with
/// saturation and value 0.9: what ORCS gives the same congestion.
std::string congestion_colour(double scaled);

}  // namespace pssp
