#pragma once

// Where the switches stand in a map of the fabric.

#include <cstdint>
#include <string>
#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// In points (1/72 inch), x to the right, y up.
struct MapPoint {
  double x = 0;
  double y = 0;
};

/// All links between two switches, whatever their number and direction.
struct MapLine {
  std::uint32_t a = 0, b = 0;       ///< SwitchId of its ends, a < b
  std::vector<ChannelId> channels;  ///< in both directions, ascending
};

/// By ascending (a, b). Links of a switch with itself are left out. O(channels log channels).
std::vector<MapLine> map_lines(const Fabric& fabric);

/// How large a switch is drawn.
struct MapBox {
  double width = 0;
  double height = 0;
};

struct MapLayout {
  enum class Kind : std::uint8_t {
    levels,  ///< switches with hosts at the bottom, the others above by their distance from these
    grid,    ///< a mesh or torus by its coordinates
    free,    ///< neither: graphviz finds the places
  };
  /// A box around switches that hang together, such as those of one director.
  struct Frame {
    MapPoint low, high;
  };

  Kind kind = Kind::free;
  std::uint32_t levels = 1;         ///< of Kind::levels
  std::vector<MapPoint> positions;  ///< centre of each switch, by SwitchId; none in Kind::free
  std::vector<double> bulges;  ///< of each line: how far its middle is bent to the left of the way
                               ///< from a to b; 0: straight. None in Kind::free
  std::vector<Frame> frames;
};

/// Levels: where at most 10 % of the lines join switches of one level, and at least a tenth of the
/// switches have no hosts of their own. (A few hosts at an upper switch, say for management, leave
/// it there.) Grid: where recognise_meshes() finds one mesh. `names` put switches in order where
/// the cabling does not: "leaf 2" comes before "leaf 10". O(lines log lines), but for the grid's
/// recognition.
MapLayout lay_out_map(const Fabric& fabric, const std::vector<MapLine>& lines,
                      const std::vector<std::string>& names, MapBox box);

}  // namespace pssp
