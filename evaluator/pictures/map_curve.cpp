#include "evaluator/pictures/map_curve.h"

#include <algorithm>
#include <cmath>

#include "evaluator/pictures/vector_length.h"

namespace pssp {
namespace {

/// Where the straight line from `from` to the center of a box enters the box.
MapPoint edge_of_box(MapPoint from, MapPoint centre, MapBox box) {
  const double x = centre.x - from.x;
  const double y = centre.y - from.y;
  const double across = x == 0 ? 1e9 : box.width / 2 / std::abs(x);
  const double up = y == 0 ? 1e9 : box.height / 2 / std::abs(y);
  const double share = std::min({across, up, 1.0});
  return {centre.x - share * x, centre.y - share * y};
}

}  // namespace

MapCurve::MapCurve(MapPoint start, MapPoint end, double bulge) {
  const double length = std::max(1.0, vector_length(end.x - start.x, end.y - start.y));
  // The midpoint is displaced by 3/4 of the displacement of the inner points.
  const MapPoint off{-(end.y - start.y) / length * bulge * 4 / 3,
                     (end.x - start.x) / length * bulge * 4 / 3};
  const auto inner = [&](double share) {
    return MapPoint{start.x + share * (end.x - start.x) + off.x,
                    start.y + share * (end.y - start.y) + off.y};
  };
  points_ = {start, inner(1.0 / 3), inner(2.0 / 3), end};
}

MapPoint MapCurve::at(double share) const {
  const double rest = 1 - share;
  const std::array<double, 4> weights{rest * rest * rest, 3 * rest * rest * share,
                                      3 * rest * share * share, share * share * share};
  MapPoint sum;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    sum.x += weights[i] * points_[i].x;
    sum.y += weights[i] * points_[i].y;
  }
  return sum;
}

bool MapCurve::is_long() const {
  constexpr double long_from = 300;
  return vector_length(points_[3].x - points_[0].x, points_[3].y - points_[0].y) > long_from;
}

MapPoint MapCurve::shorten(bool at_end, MapBox box) {
  constexpr double arrow_length = 8;
  MapPoint& end = points_[at_end ? 3 : 0];
  const MapPoint inner = points_[at_end ? 2 : 1];
  const MapPoint tip = edge_of_box(inner, end, box);
  const double length = std::max(1.0, vector_length(tip.x - inner.x, tip.y - inner.y));
  end = {tip.x - (tip.x - inner.x) / length * arrow_length,
         tip.y - (tip.y - inner.y) / length * arrow_length};
  return tip;
}

}  // namespace pssp
