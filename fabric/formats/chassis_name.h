#pragma once

// Descriptions of switches as Nvidia's switch systems give them to their chips:
// "MF0;NAME:MODEL/U1", "MF0;NAME:MODEL/L16/U2" (a leaf chip of a director), "MF0;NAME:MODEL/S03/U1"
// (a spine chip).

#include <optional>
#include <string>
#include <string_view>

namespace pssp {

struct ChassisName {
  std::string system;  ///< NAME, as it stands there
  char board = 0;      ///< 'l' or 's' of a director's boards, 0 of a switch of one chip
  unsigned slot = 0;   ///< of the board
  unsigned chip = 1;   ///< on the board
};

/// Nothing where the description is none of these.
std::optional<ChassisName> parse_chassis_name(std::string_view description);

}  // namespace pssp
