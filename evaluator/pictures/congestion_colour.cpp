#include "evaluator/pictures/congestion_colour.h"

#include <fmt/format.h>

namespace pssp {

std::string congestion_colour(double scaled) {
  constexpr double green = 0.4;
  constexpr double saturation_and_value = 0.9;
  return fmt::format("{:f} {:f} {:f}", green * (1 - scaled), saturation_and_value,
                     saturation_and_value);
}

}  // namespace pssp
