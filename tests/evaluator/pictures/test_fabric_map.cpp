// Tests maps of the fabric. Graphviz parses our text, and the tests compare its own output.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "evaluator/pictures/colour_scale.h"
#include "evaluator/pictures/drawing_programs.h"
#include "evaluator/pictures/fabric_map.h"
#include "evaluator/pictures/graphviz_text.h"
#include "evaluator/pictures/map_layout.h"
#include "fabric/builder.h"
#include "tests/evaluator/sample_fabrics.h"
#include "tests/temporary_folder.h"
#include "topologies/registry.h"

namespace {

using namespace pssp;
using namespace pssp::test;
using Catch::Matchers::Contains;
using Json = nlohmann::json;

/// Graphviz is needed to draw maps but not to build. Without it, these tests are skipped.
bool graphviz_is_here() {
  try {
    drawn_by_graphviz({"-V"}, "");
    return true;
  } catch (const Error&) {
    std::cout << "skipped: graphviz is not installed\n";
    return false;
  }
}

FabricPicture map_of(const Fabric& fabric, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  FabricPicture map;
  map.title = "a map";
  for (std::size_t c = 0; c < fabric.channel_count(); ++c) {
    map.loads.push_back(static_cast<double>(random() % 5 == 0 ? random() % 900 : random() % 100));
  }
  return map;
}

/// The graph as graphviz parses it.
Json read_back(const std::string& dot) {
  return Json::parse(drawn_by_graphviz({"-Tdot_json"}, dot));
}

/// The SVG with its entities replaced by characters.
std::string svg_text(const std::string& svg) {
  std::string text;
  for (std::size_t i = 0; i < svg.size(); ++i) {
    bool replaced = false;
    for (const auto& [entity, c] : std::map<std::string, char>{{"&lt;", '<'},
                                                               {"&gt;", '>'},
                                                               {"&quot;", '"'},
                                                               {"&#39;", '\''},
                                                               {"&#45;", '-'},
                                                               {"&amp;", '&'}}) {
      if (svg.compare(i, entity.size(), entity) != 0) continue;
      text += c;
      i += entity.size() - 1;
      replaced = true;
      break;
    }
    if (!replaced) text += svg[i];
  }
  return text;
}

/// Switches in a ring, in which the layout finds neither tree levels nor a mesh of several
/// dimensions.
Fabric ring_of(const std::vector<std::string>& descriptions) {
  FabricBuilder builder;
  std::vector<NodeId> node;
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    node.push_back(builder.add_switch(0x200 + i, 4, "S" + std::to_string(i), descriptions[i]));
    const NodeId host =
        builder.add_adapter(0x1000 + i, 1, EndPortKind::channel_adapter, "", descriptions[i]);
    builder.connect(host, 1, node.back(), 3, {});
    if (i > 0) builder.connect(node[i - 1], 2, node[i], 1, {});
  }
  if (node.size() > 2) builder.connect(node.back(), 2, node.front(), 1, {});
  builder.assign_lids();
  return std::move(builder).build();
}

/// Perceived brightness, 0 .. 255 (ITU-R BT.601).
double brightness(const std::string& colour) {
  const auto part = [&](std::size_t at) { return std::stoi(colour.substr(at, 2), nullptr, 16); };
  return 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5);
}

MapLayout layout_of(const Fabric& fabric) {
  std::vector<std::string> names;
  for (const Switch& s : fabric.switches()) names.push_back(s.description);
  return lay_out_map(fabric, map_lines(fabric), names, {100, 26});
}

bool boxes_overlap(const MapLayout& layout) {
  for (std::size_t a = 0; a < layout.positions.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (std::abs(layout.positions[a].x - layout.positions[b].x) < 99.9 &&
          std::abs(layout.positions[a].y - layout.positions[b].y) < 25.9) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

TEST_CASE("neighbors are joined by one line in the color of their busiest channel") {
  if (!graphviz_is_here()) return;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Fabric fabric = random_fabric(seed, RandomTables::shortest_paths, true).fabric;
    const FabricPicture map = map_of(fabric, seed);
    const Json graph = read_back(to_dot(fabric, map));

    std::map<std::pair<std::string, std::string>, double> expected;
    double sum = 0;
    double used = 0;
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      const auto [low, high] = std::minmax(fabric.channel_tail()[c], fabric.channel_head()[c]);
      double& load = expected[{"s" + std::to_string(low), "s" + std::to_string(high)}];
      load = std::max(load, map.loads[c]);
      sum += map.loads[c];
      if (map.loads[c] > 0) used += 1;
    }
    const std::vector<std::pair<double, std::string>> colours{
        {3, "#5f0410"},   {2, "#c01a1c"},   {1.5, "#e66a1f"}, {1.25, "#f2a93b"},
        {1.1, "#f2d16b"}, {0.5, "#aebbc6"}, {0, "#d9e0e6"}};
    const auto name = [&](const Json& index) {
      return graph["objects"][index.get<std::size_t>()]["name"].get<std::string>();
    };
    std::size_t found = 0;
    if (graph.contains("edges")) {
      for (const Json& edge : graph["edges"]) {
        std::string a = name(edge["tail"]);
        std::string b = name(edge["head"]);
        if (std::stoi(a.substr(1)) > std::stoi(b.substr(1))) std::swap(a, b);
        REQUIRE(expected.contains({a, b}));
        const double ratio = expected[{a, b}] / (sum / used);
        const auto colour = std::find_if(colours.begin(), colours.end(),
                                         [&](const auto& each) { return ratio >= each.first; });
        CHECK(edge["color"] == colour->second);
        ++found;
      }
    }
    CHECK(found == expected.size());
  }
}

TEST_CASE("the arrow of the busiest channel points in the direction of its traffic") {
  if (!graphviz_is_here()) return;
  // A chain is a one-dimensional mesh, for which we draw the lines. A random graph has no
  // structure, so graphviz draws its lines.
  for (const char* const spec : {"mesh 4", "random-regular 12 --degree 3"}) {
    CAPTURE(spec);
    const Fabric fabric = make_fabric(spec);
    for (std::uint32_t hot = 0; hot < fabric.channel_count(); ++hot) {
      FabricPicture map;
      map.loads.assign(fabric.channel_count(), 10);
      map.loads[hot] = 777;
      const Json graph = read_back(to_dot(fabric, map));
      std::size_t arrows = 0;
      for (const Json& edge : graph["edges"]) {
        if (edge.value("dir", "none") == "none") continue;
        ++arrows;
        const auto node = [&](const char* end) {
          return graph["objects"][edge[end].get<std::size_t>()]["name"].get<std::string>();
        };
        const bool forward = edge["dir"] == "forward";
        CHECK(node(forward ? "tail" : "head") == "s" + std::to_string(fabric.channel_tail()[hot]));
        CHECK(node(forward ? "head" : "tail") == "s" + std::to_string(fabric.channel_head()[hot]));
        CHECK_THAT(edge["tooltip"].get<std::string>(),
                   Contains(fabric.channel_label(ChannelId(hot)) + ": 777"));
        // In the lines that we draw, `pos` begins with the letter and the position of the end with
        // the arrow.
        if (!edge.contains("pos")) continue;
        CHECK(edge["pos"].get<std::string>().substr(0, 2) == (forward ? "e," : "s,"));
      }
      CHECK(arrows == 1);
    }
  }
}

TEST_CASE("only channels with clearly higher load than the rest get labels") {
  const Fabric fabric = make_fabric("k-ary-n-tree 4 2");
  FabricPicture map;
  map.loads.assign(fabric.channel_count(), 12);
  CHECK(to_dot(fabric, map).find("label0 ") == std::string::npos);  // all equal
  map.loads[3] = 13;
  CHECK(to_dot(fabric, map).find("label0 ") == std::string::npos);  // nearly equal
  map.loads[3] = map.loads[9] = 30;
  CHECK_THAT(to_dot(fabric, map), Contains("label1 ") && !Contains("label2 "));
  map.labelled = 1;
  CHECK(to_dot(fabric, map).find("label0 ") == std::string::npos);  // one label, two equal channels
  map.loads[9] = 29;
  CHECK_THAT(to_dot(fabric, map), Contains("label0 [label=\"30\""));
  map.loads.assign(fabric.channel_count(), 0);
  CHECK_THAT(to_dot(fabric, map), Contains("largest 0, mean 0"));
}

TEST_CASE("names cannot inject graphviz or SVG syntax") {
  if (!graphviz_is_here()) return;
  const std::vector<std::string> names{
      "\"]; evil [label=\"x",     "<b>bold</b>",       "back\\slash\\", "\\N \\G \\l",
      "&amp; &lt; &#92;N",        "two\nlines",        "-->]]>",        "</TABLE>>];",
      "caf\xC3\xA9 \xE2\x82\xAC", "bad \xFF\xC3 utf8", "tab\tbell\x07", "% $HOME `id`"};
  const Fabric fabric = ring_of(names);
  for (const bool hosts : {false, true}) {
    FabricPicture map = map_of(fabric, 1);
    map.title = names[0] + names[1] + names[2];
    map.draw_hosts = hosts;
    map.loads[0] = 5000;
    const std::string dot = to_dot(fabric, map);
    const Json graph = read_back(dot);
    std::set<std::string> nodes;
    for (const Json& object : graph["objects"]) nodes.insert(object["name"]);
    for (const std::string& node : nodes) CHECK((node[0] == 's' || node.starts_with("label")));
    CHECK(graph["edges"].size() == names.size());
    const std::string text = svg_text(drawn_by_graphviz({"-Tsvg"}, dot));
    CHECK_THAT(text, Contains("\"]; evil [label=\"x<b>bold</b>back\\slash\\"));  // the title
    for (const char* const displayed :
         {"\"]; evil [label=\"x", "<b>bold</b>", "back\\slash\\", "\\N \\G \\l",
          "&amp; &lt; &#92;N", "-->]]>", "</TABLE>>];", "caf\xC3\xA9 \xE2\x82\xAC", "bad ?? utf8",
          "% $HOME `id`"}) {
      CAPTURE(displayed);
      CHECK_THAT(text, Contains(displayed));
    }
  }
}

TEST_CASE("arbitrary bytes become valid UTF-8 in a label") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 4000; ++round) {
    std::string text;
    for (std::uint64_t i = random() % 12; i > 0; --i) {
      const auto wide = static_cast<char>(0x80 + random() % 0x80);
      text += random() % 3 == 0 ? static_cast<char>(random()) : wide;
    }
    // The JSON library refuses text that is not UTF-8.
    CHECK_NOTHROW(Json(dot_label(text)).dump());
    CHECK_NOTHROW(Json(dot_tooltip(text)).dump());
    CHECK_NOTHROW(Json(html_text(text)).dump());
    bool is_utf8 = true;
    try {
      static_cast<void>(Json(text).dump());
    } catch (const Json::exception&) {
      is_utf8 = false;
    }
    if (is_utf8 && std::all_of(text.begin(), text.end(),
                               [](char c) { return static_cast<signed char>(c) < 0; })) {
      CHECK(dot_label(text) == '"' + text + '"');
    }
  }
}

TEST_CASE("maps arrange trees in levels without overlapping boxes") {
  for (const char* const spec :
       {"k-ary-n-tree 4 2", "k-ary-n-tree 2 4", "xgft 4,4,4 1,2,2", "director 144", "chic",
        "deimos", "chic --kill-links 30 --seed 3", "thunderbird", "xgft 16,16,16 1,8,8"}) {
    CAPTURE(spec);
    const Fabric fabric = make_fabric(spec);
    const MapLayout layout = layout_of(fabric);
    REQUIRE(layout.kind == MapLayout::Kind::levels);
    CHECK_FALSE(boxes_overlap(layout));
    double highest_leaf = 0;
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      if (fabric.endpoints_per_switch()[s] > 2) {
        highest_leaf = std::max(highest_leaf, layout.positions[s].y);
      }
    }
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      const bool spine =
          fabric.switch_at(SwitchId(s)).description.find("spine") != std::string::npos;
      if (spine) CHECK(layout.positions[s].y > highest_leaf);
    }
  }
  CHECK(layout_of(make_fabric("k-ary-n-tree 2 4")).levels == 4);
  CHECK(layout_of(make_fabric("thunderbird")).levels == 3);  // unused leaf modules add no level
  CHECK(layout_of(make_fabric("thunderbird")).frames.size() == 8);
  CHECK(layout_of(make_fabric("chic")).frames.size() == 2);
}

TEST_CASE("a frame contains the switches of exactly one director") {
  for (const char* const spec : {"chic", "thunderbird"}) {
    const Fabric fabric = make_fabric(spec);
    const MapLayout layout = layout_of(fabric);
    for (const MapLayout::Frame& frame : layout.frames) {
      std::set<std::string> directors;
      std::size_t count = 0;
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        const MapPoint at = layout.positions[s];
        if (at.x < frame.low.x || at.x > frame.high.x || at.y < frame.low.y || at.y > frame.high.y)
          continue;
        directors.insert(fabric.switch_at(SwitchId(s)).description.substr(0, 10));
        ++count;
      }
      CHECK(directors.size() == 1);
      CHECK(count == 36);
    }
  }
}

TEST_CASE("maps sort switches by the numbers in their names if the cabling leaves the order open") {
  const Fabric fabric = make_fabric("leaf-director --leafs 12 --hosts 48 --directors 1");
  const MapLayout layout = layout_of(fabric);
  std::vector<std::pair<double, int>> leaves;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const std::string& name = fabric.switch_at(SwitchId(s)).description;
    if (name.starts_with("leaf "))
      leaves.emplace_back(layout.positions[s].x, std::stoi(name.substr(5)));
  }
  REQUIRE(leaves.size() == 12);
  std::sort(leaves.begin(), leaves.end());
  CHECK(std::is_sorted(leaves.begin(), leaves.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; }));
}

TEST_CASE("maps arrange meshes and tori by coordinates") {
  const Fabric mesh = make_fabric("mesh 5x4 --hosts 2");
  const MapLayout layout = layout_of(mesh);
  REQUIRE(layout.kind == MapLayout::Kind::grid);
  for (const MapLine& line : map_lines(mesh)) {
    const bool row = layout.positions[line.a].y == layout.positions[line.b].y;
    const bool column = layout.positions[line.a].x == layout.positions[line.b].x;
    CHECK(row != column);
  }
  for (const double bulge : layout.bulges) CHECK(bulge == 0);

  for (const char* const spec :
       {"torus 5x5", "mesh 4x4x4", "torus 6x6x4", "hypercube 6", "mesh 9"}) {
    CAPTURE(spec);
    const MapLayout other = layout_of(make_fabric(spec));
    CHECK(other.kind == MapLayout::Kind::grid);
    CHECK_FALSE(boxes_overlap(other));
  }
  // 5 rows and 5 columns have wraparound links.
  const MapLayout torus = layout_of(make_fabric("torus 5x5"));
  CHECK(std::count_if(torus.bulges.begin(), torus.bulges.end(),
                      [](double bulge) { return bulge != 0; }) == 10);
}

TEST_CASE("graphviz arranges fabrics without a known structure") {
  for (const char* const spec : {"dragonfly --switches 4 --global-links 2 --hosts 2",
                                 "random-regular 20 --degree 3", "full-mesh 5"}) {
    const Fabric fabric = make_fabric(spec);
    CHECK(layout_of(fabric).kind == MapLayout::Kind::free);
    CHECK_THAT(to_dot(fabric, map_of(fabric, 1)), Contains("layout=neato"));
  }
  const Fabric large = make_fabric("random-regular 200 --degree 3");
  CHECK_THAT(to_dot(large, map_of(large, 1)), Contains("layout=sfdp"));
}

TEST_CASE("maps of the smallest fabrics can be drawn") {
  if (!graphviz_is_here()) return;
  for (const Fabric& fabric : {single_switch(3).fabric, single_switch(0).fabric, chain(2).fabric,
                               ring_of({"a", "b", "c"}), FabricBuilder().build()}) {
    for (const bool hosts : {false, true}) {
      FabricPicture map = map_of(fabric, 2);
      map.draw_hosts = hosts;
      const std::string svg = drawn_by_graphviz({"-Tsvg"}, to_dot(fabric, map));
      CHECK_THAT(svg, Contains("</svg>"));
    }
  }
}

TEST_CASE("the suffix of the file name selects the format of a map") {
  const Fabric fabric = make_fabric("k-ary-n-tree 2 2");
  const FabricPicture map = map_of(fabric, 3);
  const test::TemporaryFolder folder;
  draw(fabric, map, folder / "map.dot");
  CHECK(read_file(folder / "map.dot") == to_dot(fabric, map));
  draw(fabric, map, folder / "map.GV");
  CHECK(read_file(folder / "map.GV") == to_dot(fabric, map));
  for (const char* const name : {"map", "map.txt", "map.svg.zip", ".svg", "-"}) {
    CAPTURE(name);
    try {
      require_map_format(name);
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      CHECK_THAT(error.what(), Contains(".svg, .png, .pdf or .dot"));
    }
  }
  if (!graphviz_is_here()) return;
  draw(fabric, map, folder / "map.svg");
  CHECK_THAT(read_file(folder / "map.svg"), Contains("</svg>"));
  draw(fabric, map, folder / "map.png");
  CHECK(read_file(folder / "map.png").starts_with("\x89PNG"));
  draw(fabric, map, folder / "map.pdf");
  CHECK(read_file(folder / "map.pdf").starts_with("%PDF"));
  try {
    draw(fabric, map, folder / "nowhere/map.svg");
    FAIL("written");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::output);
  }
}

TEST_CASE("loads are assigned to color classes relative to the mean") {
  // The mean of the used channels must be 100.
  const std::vector<double> values{0, 0, 49, 50, 109, 110, 124, 125, 149, 150, 199, 200, 299, 300};
  std::vector<double> padded = values;
  double sum = 0;
  for (const double value : values) sum += value;
  // 12 values are used; small values are added until the mean is 100.
  double used = 12;
  while (sum > 100 * used) {
    padded.push_back(20);
    sum += 20;
    used += 1;
  }
  padded.back() += 100 * used - sum;
  const ColourScale scale(padded, Palette::heat);
  CHECK(scale.mean() == Approx(100));
  CHECK(scale.largest() == 300);
  const std::vector<std::pair<double, std::size_t>> expected{
      {0, 0},   {49, 0},  {51, 1},  {109, 1}, {111, 2}, {124, 2}, {126, 3},
      {149, 3}, {151, 4}, {199, 4}, {201, 5}, {299, 5}, {301, 6}, {1e9, 6}};
  for (const auto& [value, number] : expected) CHECK(scale.class_of(value) == number);
  std::uint64_t members = 0;
  for (const ColourClass& each : scale.classes()) members += each.members;
  CHECK(members == padded.size());

  // Classes must differ without color: from class 3 on, each class is clearly darker than the class
  // before it; no class is much brighter.
  for (std::size_t i = 1; i < scale.classes().size(); ++i) {
    CHECK(brightness(scale.classes()[i].colour) < brightness(scale.classes()[i - 1].colour) + 25);
  }
  for (std::size_t i = 3; i < scale.classes().size(); ++i) {
    CHECK(brightness(scale.classes()[i].colour) < brightness(scale.classes()[i - 1].colour) - 15);
  }

  const ColourScale nothing(std::vector<double>(5, 0), Palette::heat);
  CHECK(nothing.class_of(0) == 0);
  CHECK(nothing.classes()[0].members == 5);
  CHECK(ColourScale({}, Palette::share).mean() == 0);
  const ColourScale shares(std::vector<double>{0, 35, 70}, Palette::share);
  CHECK(shares.class_of(0) == 0);
  CHECK(shares.class_of(35) == 3);
  CHECK(shares.class_of(70) == 6);
}

namespace {

using Triple = std::array<double, 3>;

/// Linear light intensities of a color "#rrggbb".
Triple light_of(const std::string& colour) {
  Triple light{};
  for (std::size_t i = 0; i < light.size(); ++i) {
    const double value = std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    light[i] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  }
  return light;
}

/// CIE L*a*b*, white point D65.
Triple lab_of(const Triple& light) {
  const auto curve = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const auto [r, g, b] = light;
  const double x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const double y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const double z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// The color as perceived without red cones or without green cones. Source: Vienot, Brettel and
/// Mollon, "Digital video colourmaps for checking the legibility of displays by dichromats", 1999.
Triple seen_without(const Triple& light, bool red) {
  const auto [r, g, b] = light;
  const double both = red ? 0.11238 * r + 0.88762 * g : 0.29275 * r + 0.70725 * g;
  return {both, both, red ? 0.00401 * (r - g) + b : 0.02234 * (g - r) + b};
}

double distance(const Triple& a, const Triple& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE("color-blind readers can distinguish all color classes of a map") {
  for (const Palette palette : {Palette::heat, Palette::share}) {
    const ColourScale scale(std::vector<double>{1, 2, 3}, palette);
    for (std::size_t i = 0; i < scale.classes().size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Triple a = light_of(scale.classes()[i].colour);
        const Triple b = light_of(scale.classes()[j].colour);
        INFO(i << " and " << j);
        // A distance of ten is visible at a glance; two or three only on close inspection.
        CHECK(distance(lab_of(a), lab_of(b)) > 10);
        for (const bool red : {true, false}) {
          CHECK(distance(lab_of(seen_without(a, red)), lab_of(seen_without(b, red))) > 10);
        }
      }
    }
  }
}
