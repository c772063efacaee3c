#pragma once

// The positions of switches in a map of the fabric.

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

/// All links between two switches, in both directions.
struct MapLine {
  std::uint32_t a = 0, b = 0;       ///< SwitchId of its ends, a < b
  std::vector<ChannelId> channels;  ///< in both directions, ascending
};

/// By ascending (a, b). Excludes links of a switch with itself. O(channels log channels).
std::vector<MapLine> map_lines(const Fabric& fabric);

/// The drawn size of a switch.
struct MapBox {
  double width = 0;
  double height = 0;
};

struct MapLayout {
  enum class Kind : std::uint8_t {
    levels,  ///< switches with hosts at the bottom, others by their distance
    grid,    ///< a mesh or torus by its coordinates
    free,    ///< neither: graphviz chooses the positions
  };
  /// A box around connected switches, such as those of one director.
  struct Frame {
    MapPoint low, high;
  };

  Kind kind = Kind::free;
  std::uint32_t levels = 1;         ///< of Kind::levels
  std::vector<MapPoint> positions;  ///< center of each switch, by SwitchId; empty for Kind::free
  /// By line: how far its middle is bent to the left, seen from a to b; 0: straight. Empty for
  /// Kind::free.
  std::vector<double> bulges;
  std::vector<Frame> frames;
};

/// Levels: if at most 10 % of the lines join switches of one level, and at least a tenth of the
/// switches have no hosts. (An upper switch with a few hosts, say for management, stays an upper
/// switch.) Grid: if recognise_meshes() finds one mesh. `names` determine the order of switches if
/// the cabling does not: "leaf 2" comes before "leaf 10". O(lines log lines), without the grid's
/// recognition.
MapLayout lay_out_map(const Fabric& fabric, const std::vector<MapLine>& lines,
                      const std::vector<std::string>& names, MapBox box);

}  // namespace pssp
