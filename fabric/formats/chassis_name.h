#pragma once

// Descriptions that Nvidia's switch systems give their chips: "MF0;NAME:MODEL/U1",
// "MF0;NAME:MODEL/L16/U2" (a leaf chip of a director), "MF0;NAME:MODEL/S03/U1" (a spine chip).

#include <optional>
#include <string>
#include <string_view>

namespace pssp {

struct ChassisName {
  std::string system;  ///< NAME, unchanged
  char board = 0;      ///< 'l' or 's' for boards of a director, 0 for a switch of one chip
  unsigned slot = 0;   ///< of the board
  unsigned chip = 1;   ///< on the board
};

/// None if the description has another form.
std::optional<ChassisName> parse_chassis_name(std::string_view description);

}  // namespace pssp
