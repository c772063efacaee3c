#pragma once

// The course of a line in a map of the fabric.

#include <array>

#include "evaluator/pictures/map_layout.h"

namespace pssp {

/// A cubic Bezier curve, as graphviz draws lines.
class MapCurve {
 public:
  /// From one point to the other; its midpoint lies `bulge` to the left of the straight line.
  MapCurve(MapPoint start, MapPoint end, double bulge);

  /// Start, the two inner control points, end.
  const std::array<MapPoint, 4>& points() const noexcept { return points_; }
  /// The point after a share (0 .. 1) of the curve's parameter.
  MapPoint at(double share) const;
  /// Whether a label fits anywhere in its middle third.
  bool is_long() const;

  /// Makes room for an arrow in front of the box at the curve's end (or begin, unless `at_end`),
  /// and returns the arrow's tip.
  MapPoint shorten(bool at_end, MapBox box);

 private:
  std::array<MapPoint, 4> points_;
};

}  // namespace pssp
