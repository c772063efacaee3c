#include "evaluator/pictures/map_layout.h"

#include <algorithm>
#include <tuple>

#include "evaluator/pictures/grid_layout.h"
#include "evaluator/pictures/level_layout.h"

namespace pssp {

std::vector<MapLine> map_lines(const Fabric& fabric) {
  struct End {
    std::uint32_t a, b, channel;
  };
  std::vector<End> ends;
  ends.reserve(fabric.channel_count());
  for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
    const auto [a, b] = std::minmax(fabric.channel_tail()[c], fabric.channel_head()[c]);
    if (a != b) ends.push_back({a, b, c});
  }
  std::sort(ends.begin(), ends.end(), [](const End& x, const End& y) {
    return std::tie(x.a, x.b, x.channel) < std::tie(y.a, y.b, y.channel);
  });
  std::vector<MapLine> lines;
  for (const End& end : ends) {
    if (lines.empty() || lines.back().a != end.a || lines.back().b != end.b) {
      lines.push_back({end.a, end.b, {}});
    }
    lines.back().channels.emplace_back(end.channel);
  }
  return lines;
}

MapLayout lay_out_map(const Fabric& fabric, const std::vector<MapLine>& lines,
                      const std::vector<std::string>& names, MapBox box) {
  if (auto levels = lay_out_levels(fabric, lines, names, box)) return *std::move(levels);
  if (auto grid = lay_out_grid(fabric, lines, box)) return *std::move(grid);
  return {};
}

}  // namespace pssp
