#include "evaluator/pictures/fabric_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string_view>

#include "base/error.h"
#include "base/file_io.h"
#include "base/text_lines.h"
#include "evaluator/pictures/drawing_programs.h"
#include "evaluator/pictures/graphviz_text.h"
#include "evaluator/pictures/map_curve.h"
#include "evaluator/pictures/map_layout.h"
#include "evaluator/pictures/map_legend.h"
#include "fabric/nodes/node_description.h"

// Graphviz would take minutes to arrange the levels of a fabric of some hundred switches. So trees
// and meshes are laid out here (map_layout.h), and graphviz only draws (layout "nop2"); its spring
// models arrange only fabrics without recognized structure.
//
// Cold lines must not cover hot ones. Graphviz draws the lines node by node, in the order in which
// the nodes were named, so nodes are named in the order of their hottest line, and a line belongs
// to its later node.

namespace pssp {
namespace {

constexpr double font_size = 9;
constexpr double letter_width = 5.2;  // at that size, about

/// The usual short name: LG27-02 for "MF0;LG27-02:MQM8700/U1".
std::string short_name(const Switch& node) {
  std::string_view name = description_or_name(node);
  const std::size_t semicolon = name.find(';');
  const std::size_t colon = name.find(':', semicolon == std::string_view::npos ? 0 : semicolon);
  if (semicolon != std::string_view::npos && colon != std::string_view::npos) {
    return std::string(name.substr(semicolon + 1, colon - semicolon - 1));
  }
  return std::string(name);
}

/// Omits the middle of a long name.
std::string abridged(const std::string& name, std::size_t most) {
  if (name.size() <= most) return name;
  const std::size_t half = (most - 2) / 2;
  return name.substr(0, half) + ".." + name.substr(name.size() - half);
}

std::string points(MapPoint at) { return fmt::format("{:.1f},{:.1f}", at.x, at.y); }

class MapWriter {
 public:
  MapWriter(const Fabric& fabric, const FabricPicture& map)
      : fabric_(fabric), map_(map), scale_(map.loads, map.palette), lines_(map_lines(fabric)) {
    for (const Switch& node : fabric.switches()) names_.push_back(short_name(node));
    box_ = {longest_name() * letter_width + 8, font_size * 2.9};
    if (map.draw_hosts) grow_box_for_hosts();
    layout_ = lay_out_map(fabric, lines_, names_, box_);
    rank_lines();
    choose_labels();
    neighbours_.resize(fabric.switch_count());
    for (const MapLine& line : lines_) {
      neighbours_[line.a].push_back(line.b);
      neighbours_[line.b].push_back(line.a);
    }
    for (std::vector<std::uint32_t>& each : neighbours_) std::sort(each.begin(), each.end());
  }

  std::string run() {
    write_head();
    write_frames();
    write_switches();
    write_lines();
    write_labels();
    text_ += "}\n";
    return std::move(text_);
  }

 private:
  static constexpr std::size_t longest_displayed = 20;

  template <class... Arguments>
  void write(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  double longest_name() const {
    std::size_t longest = 8;  // "99 hosts"
    for (const std::string& name : names_) longest = std::max(longest, name.size());
    return static_cast<double>(std::min(longest, longest_displayed));
  }

  void grow_box_for_hosts();
  void rank_lines();
  void choose_labels();
  void write_head();
  int legend_size() const;
  double label_size() const { return std::max(font_size + 1, 0.7 * legend_size()); }
  double spring_length(const MapLine& line) const;
  MapLegend legend() const;
  void write_frames();
  void write_switches();
  std::string switch_label(SwitchId s) const;
  std::string host_cells(SwitchId s) const;
  std::string switch_tooltip(SwitchId s) const;
  void write_lines();
  void write_line(std::uint32_t number);
  std::string line_tooltip(const MapLine& line) const;
  void write_path(std::uint32_t number, bool from_a, bool forward);
  void write_labels();

  const Fabric& fabric_;
  const FabricPicture& map_;
  ColourScale scale_;
  std::vector<MapLine> lines_;
  std::vector<std::vector<std::uint32_t>> neighbours_;  // ascending
  std::vector<std::string> names_;
  MapBox box_;
  MapLayout layout_;
  std::vector<ChannelId> hottest_;         // channel of each line
  std::vector<std::uint32_t> line_order_;  // coldest first
  std::vector<std::uint32_t> node_order_, node_rank_;
  std::vector<bool> labelled_;
  std::size_t labels_ = 0;
  std::string text_;
};

constexpr std::size_t host_columns = 4;
constexpr double host_width = 46;
constexpr double host_height = 9;

void MapWriter::grow_box_for_hosts() {
  std::uint32_t most = 0;
  for (const std::uint32_t hosts : fabric_.endpoints_per_switch()) most = std::max(most, hosts);
  const std::size_t rows = (most + host_columns - 1) / host_columns;
  box_.width = std::max(box_.width, host_columns * host_width + 8);
  box_.height = font_size * 1.6 + static_cast<double>(rows) * host_height + 6;
}

void MapWriter::rank_lines() {
  const auto load = [&](ChannelId c) { return map_.loads[c.value()]; };
  std::vector<double> hottest_at(fabric_.switch_count(), 0);
  for (const MapLine& line : lines_) {
    ChannelId hottest = line.channels.front();
    for (const ChannelId c : line.channels) {
      if (load(c) > load(hottest)) hottest = c;
    }
    hottest_.push_back(hottest);
    hottest_at[line.a] = std::max(hottest_at[line.a], load(hottest));
    hottest_at[line.b] = std::max(hottest_at[line.b], load(hottest));
  }
  line_order_.resize(lines_.size());
  std::iota(line_order_.begin(), line_order_.end(), 0U);
  std::stable_sort(line_order_.begin(), line_order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return load(hottest_[a]) < load(hottest_[b]);
  });
  node_order_.resize(fabric_.switch_count());
  std::iota(node_order_.begin(), node_order_.end(), 0U);
  std::stable_sort(node_order_.begin(), node_order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return hottest_at[a] < hottest_at[b]; });
  node_rank_.resize(node_order_.size());
  for (std::uint32_t i = 0; i < node_order_.size(); ++i) node_rank_[node_order_[i]] = i;
}

/// Labels the hottest lines if they are busier than usual, but not a part of several equally hot
/// lines, because a label means "worse than the rest".
void MapWriter::choose_labels() {
  labelled_.assign(lines_.size(), false);
  constexpr double labelled_from = 1.2;
  const auto load = [&](std::size_t i) { return map_.loads[hottest_[line_order_[i]].value()]; };
  std::size_t first = lines_.size();
  for (std::size_t i = lines_.size(); i > 0 && lines_.size() - i < map_.labelled; --i) {
    if (load(i - 1) < labelled_from * scale_.mean() || load(i - 1) == 0) break;
    if (i == 1 || load(i - 2) < load(i - 1)) first = i - 1;
  }
  if (first == 0) return;  // all of them: not informative
  for (std::size_t i = first; i < lines_.size(); ++i) labelled_[line_order_[i]] = true;
  labels_ = lines_.size() - first;
}

void MapWriter::write_head() {
  const bool few = fabric_.switch_count() <= 150;
  write("digraph fabric {{\n");
  if (layout_.kind != MapLayout::Kind::free) {
    write("  layout=nop2;\n");
  } else if (few) {
    write("  layout=neato; overlap=prism; splines=line; sep=\"+8\"; start=1;\n");
  } else {
    write("  layout=sfdp; overlap=prism; splines=line; sep=\"+4\"; start=1; K=1.2;\n");
  }
  write("  charset=\"UTF-8\"; outputorder=edgesfirst; bgcolor=white; fontname=\"Helvetica\";\n");
  write("  tooltip={}; labelloc=t; label=<{}>;\n", dot_tooltip(map_.title),
        to_html(legend(), scale_));
  write(
      "  node [shape=box, style=\"filled,rounded\", fillcolor=\"#ffffff\", color=\"#56636e\",\n"
      "        fixedsize=true, width={:.3f}, height={:.3f}, margin=0, fontname=\"Helvetica\",\n"
      "        fontsize={}];\n",
      box_.width / 72, box_.height / 72, font_size);
  write("  edge [dir=none, fontname=\"Helvetica-Bold\", fontsize={}, fontcolor=\"#5f0410\"];\n",
        label_size());
}

/// The font size of the legend and of labels grows with the picture, which is viewed at a smaller
/// scale.
int MapWriter::legend_size() const {
  double width = 0;
  for (const MapPoint place : layout_.positions) width = std::max(width, place.x);
  return static_cast<int>(std::clamp(width / 75, 11.0, 44.0));
}

MapLegend MapWriter::legend() const {
  return {
      .title = map_.title,
      .contents = fmt::format("{} switches, {} hosts, {} links between switches drawn as {} lines",
                              fabric_.switch_count(), fabric_.endpoints().size(),
                              fabric_.channel_count() / 2, lines_.size()),
      .load_name = map_.load_name,
      .letters = legend_size(),
      .explains_labels = labels_ != 0};
}

void MapWriter::write_frames() {
  for (std::size_t i = 0; i < layout_.frames.size(); ++i) {
    const auto& [low, high] = layout_.frames[i];
    write(
        "  frame{} [label=\"\", tooltip=\" \", style=rounded, color=\"#7d8b96\", "
        "penwidth=2, width={:.3f}, height={:.3f}, pos=\"{}\"];\n",
        i, (high.x - low.x) / 72, (high.y - low.y) / 72,
        points({(low.x + high.x) / 2, (low.y + high.y) / 2}));
  }
}

void MapWriter::write_switches() {
  for (const std::uint32_t s : node_order_) {
    const bool has_hosts = fabric_.endpoints_per_switch()[s] != 0;
    write("  s{} [label={}, tooltip={}{}", s, switch_label(SwitchId(s)),
          dot_tooltip(switch_tooltip(SwitchId(s))), has_hosts ? ", fillcolor=\"#e3edf5\"" : "");
    if (layout_.kind != MapLayout::Kind::free) write(", pos=\"{}\"", points(layout_.positions[s]));
    write("];\n");
  }
}

std::string MapWriter::switch_label(SwitchId s) const {
  const std::uint32_t hosts = fabric_.endpoints_per_switch()[s.value()];
  const std::string name = abridged(names_[s.value()], longest_displayed);
  if (hosts == 0) return dot_label(name);
  if (map_.draw_hosts) return host_cells(s);
  return dot_label(fmt::format("{}\n{} host{}", name, hosts, hosts == 1 ? "" : "s"));
}

std::string MapWriter::host_cells(SwitchId s) const {
  std::string text = fmt::format(
      "<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"0\"><TR><TD "
      "COLSPAN=\"{}\">{}</TD></TR>",
      host_columns, html_text(abridged(names_[s.value()], longest_displayed)));
  std::size_t column = 0;
  for (const EndPortId e : fabric_.end_ports_of(s)) {
    if (!fabric_.is_endpoint(e)) continue;
    const EndPort& port = fabric_.end_port(e);
    constexpr std::size_t longest_host = 13;
    if (column == 0) text += "<TR>";
    text += fmt::format(
        R"(<TD FIXEDSIZE="TRUE" WIDTH="{}" HEIGHT="{}"><FONT POINT-SIZE="6">{}</FONT></TD>)",
        host_width, host_height, html_text(abridged(description_or_name(port), longest_host)));
    column = (column + 1) % host_columns;
    if (column == 0) text += "</TR>";
  }
  return text + (column == 0 ? "</TABLE>>" : "</TR></TABLE>>");
}

std::string MapWriter::switch_tooltip(SwitchId s) const {
  const Switch& node = fabric_.switch_at(s);
  return fmt::format("{}\nlid {}, guid 0x{:016x}\n{} hosts", fabric_.label(s), node.lid, node.guid,
                     fabric_.endpoints_per_switch()[s.value()]);
}

void MapWriter::write_lines() {
  for (const std::uint32_t line : line_order_) write_line(line);
}

/// For the spring model, in inches: switches with common neighbors, such as those of a dragonfly
/// group, are placed together.
double MapWriter::spring_length(const MapLine& line) const {
  const std::vector<std::uint32_t>& a = neighbours_[line.a];
  const std::vector<std::uint32_t>& b = neighbours_[line.b];
  const bool together = std::any_of(a.begin(), a.end(), [&](std::uint32_t s) {
    return std::binary_search(b.begin(), b.end(), s);
  });
  return box_.width / 72 * (together ? 1.1 : 4.0);
}

void MapWriter::write_line(std::uint32_t number) {
  const MapLine& line = lines_[number];
  const ChannelId hottest = hottest_[number];
  const double load = map_.loads[hottest.value()];
  const bool from_a = node_rank_[line.a] > node_rank_[line.b];
  const bool labelled = labelled_[number];
  const std::size_t colour_class = scale_.class_of(load);
  const auto links = static_cast<double>(line.channels.size()) / 2;
  const double width =
      0.5 * std::sqrt(links) + 0.3 * static_cast<double>(colour_class) + (labelled ? 1.2 : 0.0);
  write("  s{} -> s{} [color=\"{}\", penwidth={:.2f}, tooltip={}", from_a ? line.a : line.b,
        from_a ? line.b : line.a, scale_.classes()[colour_class].colour, width,
        dot_tooltip(line_tooltip(line)));
  if (load == 0) write(", style=dashed");
  // The arrow shows the direction of the hottest channel, which may be opposite to the line's.
  const bool forward = (fabric_.channel_tail()[hottest.value()] == line.a) == from_a;
  if (labelled) {
    write(", dir={}, arrowsize=0.8", forward ? "forward" : "back");
    if (layout_.kind == MapLayout::Kind::free) write(", label={}", dot_label(load_figure(load)));
  }
  if (layout_.kind != MapLayout::Kind::free) {
    write_path(number, from_a, forward);
  } else {
    write(", len={:.2f}", spring_length(line));
  }
  write("];\n");
}

/// From center to center, because boxes are drawn over the ends; but to the edge of the box at an
/// arrow.
void MapWriter::write_path(std::uint32_t number, bool from_a, bool forward) {
  const MapLine& line = lines_[number];
  MapCurve curve(layout_.positions[from_a ? line.a : line.b],
                 layout_.positions[from_a ? line.b : line.a],
                 from_a ? layout_.bulges[number] : -layout_.bulges[number]);
  std::string arrow;
  if (labelled_[number]) {
    const MapPoint tip = curve.shorten(forward, box_);
    arrow = fmt::format("{},{} ", forward ? "e" : "s", points(tip));
  }
  write(", pos=\"{}{} {} {} {}\"", arrow, points(curve.points()[0]), points(curve.points()[1]),
        points(curve.points()[2]), points(curve.points()[3]));
}

/// As nodes, which are drawn over all lines; at different heights, so that labels of neighbors do
/// not overlap.
void MapWriter::write_labels() {
  if (layout_.kind == MapLayout::Kind::free) return;
  constexpr std::array<double, 3> heights{0.5, 0.38, 0.62};
  std::size_t written = 0;
  for (const std::uint32_t number : line_order_) {
    if (!labelled_[number]) continue;
    const MapLine& line = lines_[number];
    const MapCurve curve(layout_.positions[line.a], layout_.positions[line.b],
                         layout_.bulges[number]);
    write(
        "  label{} [label={}, tooltip={}, pos=\"{}\", shape=plain, style=filled, "
        "fillcolor=\"#ffffffd0\", fixedsize=false, fontname=\"Helvetica-Bold\", fontsize={:.1f}, "
        "fontcolor=\"#5f0410\"];\n",
        written, dot_label(load_figure(map_.loads[hottest_[number].value()])),
        dot_tooltip(line_tooltip(line)),
        points(curve.at(curve.is_long() ? heights[written % heights.size()] : 0.5)), label_size());
    ++written;
  }
}

std::string MapWriter::line_tooltip(const MapLine& line) const {
  constexpr std::size_t most = 8;
  std::vector<ChannelId> channels = line.channels;
  std::stable_sort(channels.begin(), channels.end(), [&](ChannelId a, ChannelId b) {
    return map_.loads[a.value()] > map_.loads[b.value()];
  });
  std::string text;
  for (std::size_t i = 0; i < std::min(most, channels.size()); ++i) {
    text += fmt::format("{}{}: {:.6g}", i == 0 ? "" : "\n", fabric_.channel_label(channels[i]),
                        map_.loads[channels[i].value()]);
  }
  if (channels.size() > most) text += fmt::format("\nand {} more", channels.size() - most);
  return text;
}

/// The ending of the file's name in lower case, with its dot; one that draw() supports.
std::string map_format_of(const std::filesystem::path& file) {
  std::string ending = lower_case(file.extension().string());
  constexpr std::array<std::string_view, 5> known{".dot", ".gv", ".svg", ".png", ".pdf"};
  if (std::find(known.begin(), known.end(), ending) != known.end()) return ending;
  throw Error(
      ErrorKind::usage,
      fmt::format(
          "unknown format of the map {}: expected a name that ends in .svg, .png, .pdf or .dot",
          file.string()));
}

}  // namespace

std::string to_dot(const Fabric& fabric, const FabricPicture& map) {
  return MapWriter(fabric, map).run();
}

void require_map_format(const std::filesystem::path& file) { map_format_of(file); }

std::string drawn_map(const Fabric& fabric, const FabricPicture& map,
                      const std::filesystem::path& file) {
  const std::string format = map_format_of(file);
  std::string dot = to_dot(fabric, map);
  if (format == ".dot" || format == ".gv") return dot;
  std::vector<std::string> arguments{"-T" + format.substr(1)};
  // PNG needs memory per pixel: at most 62 inches, which are 6000 pixels.
  if (format == ".png") arguments.emplace_back("-Gsize=62,62");
  return drawn_by_graphviz(arguments, dot);
}

void draw(const Fabric& fabric, const FabricPicture& map, const std::filesystem::path& file) {
  write_file(file, drawn_map(fabric, map, file));
}

}  // namespace pssp
