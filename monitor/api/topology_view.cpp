#include "monitor/api/topology_view.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "monitor/api/views.h"

// Parallel cables between two switches are drawn as one line, with the busiest channel of each
// direction. Adapters are counted at their switch, and listed only on request (`hosts_of`), because
// a drawing of thousands of adapters is useless.

namespace pssp {
namespace {

constexpr std::size_t most_maps = 3;

struct Line {
  unsigned cables = 0;
  double utilisation[2] = {-1, -1};  ///< from the node with the smaller index, and from the other
                                     ///< one
  double waiting[2] = {-1, -1};
  std::uint64_t capacity = 0;
  VerdictLevel level = VerdictLevel::good;
};
using LineEnds = std::pair<std::uint32_t, std::uint32_t>;

bool is_switch(const FabricMap& map, std::uint32_t node) {
  return map.nodes[node].kind == NodeKind::switch_node;
}

std::map<LineEnds, Line> switch_lines(const LiveView& view) {
  std::map<LineEnds, Line> lines;
  const FabricMap& map = view.map();
  for (std::size_t c = 0; c < view.channels.size(); ++c) {
    const std::uint32_t port = view.channels[c];
    const MapPort& self = map.ports[port];
    const std::uint32_t here = self.node, there = map.ports[self.peer].node;
    if (here == there || !is_switch(map, here) || !is_switch(map, there)) continue;
    const bool up = here < there;
    Line& line = lines[{std::min(here, there), std::max(here, there)}];
    if (up) {
      ++line.cables;
      line.capacity += self.rate.capacity();
    }
    double& utilisation = line.utilisation[up ? 0 : 1];
    double& waiting = line.waiting[up ? 0 : 1];
    utilisation = std::max(utilisation, view.use[c].utilisation);
    waiting = std::max(waiting, view.use[c].waiting_share);
    line.level = std::max(line.level, view.levels[port]);
  }
  return lines;
}

void write_number(JsonWriter& json, double number) {
  number < 0 ? json.null() : json.value(number);
}

void write_line(JsonWriter& json, const LineEnds& ends, const Line& line) {
  json.begin_object().member("a", ends.first).member("b", ends.second);
  json.member("cables", line.cables).member("rate_mbits", line.capacity);
  json.key("utilisation").begin_array();
  for (const double each : line.utilisation) write_number(json, each);
  json.end_array().key("waiting_share").begin_array();
  for (const double each : line.waiting) write_number(json, each);
  json.end_array().member("verdict", name_of(line.level)).end_object();
}

/// Planned cables that are missing between two present switches; parallel cables are combined.
/// Statements that also move plugs are left out, because they do not tell which line is missing.
std::map<LineEnds, unsigned> missing_lines(const LiveView& view) {
  std::map<LineEnds, unsigned> lines;
  if (view.facts.cabling == nullptr) return lines;
  for (const CablingStatementView& each : view.facts.cabling->statements) {
    if (each.fault != "missing" || each.positions.size() != 2) continue;
    const auto a = view.map().find_node(each.positions[0].node);
    const auto b = view.map().find_node(each.positions[1].node);
    if (!a || !b || *a == *b || !is_switch(view.map(), *a) || !is_switch(view.map(), *b)) continue;
    ++lines[{std::min(*a, *b), std::max(*a, *b)}];
  }
  return lines;
}

std::vector<std::uint32_t> hosts_of_switches(const FabricMap& map) {
  std::vector<std::uint32_t> count(map.nodes.size(), 0);
  for (const MapPort& port : map.ports) {
    if (port.peer == MapPort::no_peer || is_switch(map, port.node)) continue;
    ++count[map.ports[port.peer].node];
  }
  return count;
}

void write_hosts(JsonWriter& json, const LiveView& view, std::uint32_t node) {
  const MapNode& self = view.map().nodes[node];
  json.key("hosts").begin_array();
  for (unsigned i = 0; i < self.ports; ++i) {
    const std::uint32_t port = self.first_port + i;
    const std::uint32_t peer = view.map().ports[port].peer;
    if (peer == MapPort::no_peer || is_switch(view.map(), view.map().ports[peer].node)) continue;
    json.begin_object();
    write_port_name(json, view, peer);
    json.member("switch_port", unsigned{view.map().ports[port].number});
    const ChannelUseView to = channel_use(view, port), from = channel_use(view, peer);
    json.key("utilisation").begin_array();
    write_number(json, to.utilisation);
    write_number(json, from.utilisation);
    json.end_array();
    json.member("verdict", name_of(std::max(view.levels[port], view.levels[peer])));
    json.end_object();
  }
  json.end_array();
}

/// Number of lines that pass the gap above each row; rows are in ascending order of height.
std::vector<double> lines_over(const std::vector<double>& rows, const MapLayout& layout,
                               const std::vector<MapLine>& lines) {
  std::vector<double> passing(rows.size(), 0);
  for (const MapLine& line : lines) {
    const double a = layout.positions[line.a].y, b = layout.positions[line.b].y;
    for (std::size_t r = 0; r + 1 < rows.size(); ++r) {
      if (rows[r] >= std::min(a, b) && rows[r] < std::max(a, b)) ++passing[r];
    }
  }
  return passing;
}

/// Scales the gap between two levels by the number of lines in it, so that two extra switches above
/// a tree of hundreds take little space. Then stretches the drawing to the aspect ratio of a
/// screen.
void fit_levels(MapLayout& layout, const std::vector<MapLine>& lines) {
  std::vector<double> rows, columns;
  for (const MapPoint& place : layout.positions) {
    rows.push_back(place.y);
    columns.push_back(place.x);
  }
  if (rows.empty()) return;
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const std::vector<double> passing = lines_over(rows, layout, lines);
  const double most = std::max(1.0, *std::max_element(passing.begin(), passing.end()));
  std::map<double, double> fitted;
  double height = 0;
  constexpr double least_share = 0.1, screen = 0.5;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    fitted[rows[r]] = height;
    if (r + 1 == rows.size()) break;
    height += (rows[r + 1] - rows[r]) * std::max(least_share, std::sqrt(passing[r] / most));
  }
  const auto [left, right] = std::minmax_element(columns.begin(), columns.end());
  const double stretch = height > 0 ? std::max(1.0, screen * (*right - *left) / height) : 1;
  for (MapPoint& place : layout.positions) place.y = stretch * fitted[place.y];
}

std::string_view name_of(MapLayout::Kind kind) {
  switch (kind) {
    case MapLayout::Kind::levels:
      return "levels";
    case MapLayout::Kind::grid:
      return "grid";
    case MapLayout::Kind::free:
      break;
  }
  return "free";
}

}  // namespace

std::shared_ptr<const TopologyView::Positions> TopologyView::positions_of(const LiveView& view) {
  const std::lock_guard lock(mutex_);
  const auto known = std::ranges::find_if(
      positions_, [&](const auto& each) { return each->map == view.snapshot->map; });
  if (known != positions_.end()) {
    std::rotate(known, std::next(known), positions_.end());
    return positions_.back();
  }
  auto found = std::make_shared<Positions>();
  found->map = view.snapshot->map;
  if (found->map->fabric != nullptr) {
    const Fabric& fabric = *found->map->fabric;
    std::vector<std::string> names;
    for (const Switch& each : fabric.switches()) {
      const auto node = found->map->find_node(each.guid);
      names.push_back(node ? (*view.names)[*node] : each.name);
    }
    // Small boxes: the page draws a switch as a dot, and its name only where there is room.
    constexpr MapBox box{40, 26};
    const std::vector<MapLine> lines = map_lines(fabric);
    found->layout = lay_out_map(fabric, lines, names, box);
    if (found->layout.kind == MapLayout::Kind::levels) fit_levels(found->layout, lines);
  }
  if (positions_.size() == most_maps) positions_.erase(positions_.begin());
  return positions_.emplace_back(std::move(found));
}

std::string TopologyView::text(const LiveView& view, const Target& target) {
  target.allow({"group", "hosts_of", "at"});
  target.choice("group", {"leaf"});
  const FabricMap& map = view.map();
  JsonWriter json;
  json.begin_object();
  write_head(json, view);
  if (const std::string* guid = target.find("hosts_of")) {
    write_hosts(json, view, wanted_node(view, *guid));
    return json.end_object().take();
  }
  const auto positions = positions_of(view);
  const std::vector<std::uint32_t> hosts = hosts_of_switches(map);
  json.member("layout", name_of(positions->layout.kind));
  json.key("nodes").begin_array();
  for (std::uint32_t n = 0; n < map.nodes.size(); ++n) {
    if (!is_switch(map, n)) continue;
    VerdictLevel level = VerdictLevel::good;
    for (unsigned i = 0; i < map.nodes[n].ports; ++i) {
      level = std::max(level, view.levels[map.nodes[n].first_port + i]);
    }
    json.begin_object().member("id", n).key("guid").guid(map.nodes[n].guid);
    json.member("name", (*view.names)[n]).member("hosts", hosts[n]);
    json.member("verdict", name_of(level));
    const auto s =
        map.fabric == nullptr ? std::nullopt : map.fabric->find_switch(map.nodes[n].guid);
    if (s && s->value() < positions->layout.positions.size()) {
      const MapPoint at = positions->layout.positions[s->value()];
      json.member("x", at.x).member("y", -at.y);
    }
    json.end_object();
  }
  json.end_array().key("links").begin_array();
  for (const auto& [ends, line] : switch_lines(view)) write_line(json, ends, line);
  json.end_array().key("missing").begin_array();
  for (const auto& [ends, cables] : missing_lines(view)) {
    json.begin_object().member("a", ends.first).member("b", ends.second);
    json.member("cables", cables).end_object();
  }
  return json.end_array().end_object().take();
}

}  // namespace pssp
